// BiCGStab: x = x + alpha y + omega z, and with t = A z the residual r = r - omega t; r . r, and r
// . r0 with the shadow.
KERNEL(bicgstab_step)
    UNIFORM(real, alpha)
    UNIFORM(real, omega)
    IN(quantity, y)
    IN(quantity, z)
    IN(quantity, t)
    IN(quantity, shadow)
    INOUT(quantity, x)
    INOUT(quantity, r)
    REDUCE(sum, rr)
    REDUCE(sum, rs)
UPDATE(i)
{
    precise quantity moved = x(i) + (alpha * y(i) + omega * z(i));
    precise quantity left = r(i) - omega * t(i);
    x_new = moved;
    r_new = left;
    rr = product(real(1), dot(left, left));
    rs = product(real(1), dot(left, shadow(i)));
}
