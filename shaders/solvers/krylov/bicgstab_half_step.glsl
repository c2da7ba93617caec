// BiCGStab: the residual after the first half of a step, r = r - alpha v, with r . r.
KERNEL(bicgstab_half_step)
    UNIFORM(real, alpha)
    IN(quantity, v)
    INOUT(quantity, r)
    REDUCE(sum, rr)
UPDATE(i)
{
    precise quantity left = r(i) - alpha * v(i);
    r_new = left;
    rr = product(real(1), dot(left, left));
}
