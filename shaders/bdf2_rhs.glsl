// Right-hand side of an implicit BDF2 step of a cell quantity: V (c1 u1 + c2 u2 - q) + e1 n1 + e2 n2 + w, with u1, u2 the last two
// values, q the pressure gradient, n1, n2 the explicit transport of the last two states, w what walls diffuse.
KERNEL(bdf2_rhs)
    UNIFORM(real, c1)
    UNIFORM(real, c2)
    UNIFORM(real, e1)
    UNIFORM(real, e2)
    IN(real, volume)
    IN(quantity, u1)
    IN(quantity, u2)
    IN(quantity, q)
    IN(quantity, n1)
    IN(quantity, n2)
    IN(quantity, w)
VALUE(quantity, c)
{
    precise quantity sum = volume(c) * (c1 * u1(c) + c2 * u2(c) - q(c)) + (e1 * n1(c) + e2 * n2(c)) + w(c);
    return sum;
}
