// Right-hand side of an implicit BDF2 step of the cell velocities: V (c1 u1 + c2 u2 - q) + e1 n1 + e2 n2 + e3 n3 + w, with u1, u2 the
// last two values, q the pressure gradient less the body force, n1, n2, n3 the explicit transport of the last three states, w what walls diffuse.
KERNEL(extrapolated_rhs)
    UNIFORM(real, c1)
    UNIFORM(real, c2)
    UNIFORM(real, e1)
    UNIFORM(real, e2)
    UNIFORM(real, e3)
    IN(real, volume)
    IN(vec, u1)
    IN(vec, u2)
    IN(vec, q)
    IN(vec, n1)
    IN(vec, n2)
    IN(vec, n3)
    IN(vec, w)
VALUE(vec, c)
{
    precise vec sum = volume(c) * (c1 * u1(c) + c2 * u2(c) - q(c)) + (e1 * n1(c) + e2 * n2(c) + e3 * n3(c)) + w(c);
    return sum;
}
