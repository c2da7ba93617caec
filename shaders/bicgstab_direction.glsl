// BiCGStab: p = r + beta (p - omega v).
KERNEL(bicgstab_direction)
    UNIFORM(real, beta)
    UNIFORM(real, omega)
    IN(quantity, r)
    IN(quantity, v)
    INOUT(quantity, p)
UPDATE(i)
{
    precise quantity sum = r(i) + beta * (p(i) - omega * v(i));
    p_new = sum;
}
