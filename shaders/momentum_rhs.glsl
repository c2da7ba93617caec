// Right-hand side of the implicit momentum step: V (c1 u1 + c2 u2 - q) + e1 n1 + e2 n2 + w, with u1, u2 the last two
// velocities, q the pressure gradient, n1, n2 the explicit transport of the last two states, w what walls diffuse.
KERNEL(momentum_rhs)
    UNIFORM(real, c1)
    UNIFORM(real, c2)
    UNIFORM(real, e1)
    UNIFORM(real, e2)
    IN(real, volume)
    IN(vec, u1)
    IN(vec, u2)
    IN(vec, q)
    IN(vec, n1)
    IN(vec, n2)
    IN(vec, w)
VALUE(vec, c)
{
    precise vec sum = volume(c) * (c1 * u1(c) + c2 * u2(c) - q(c)) + (e1 * n1(c) + e2 * n2(c)) + w(c);
    return sum;
}
