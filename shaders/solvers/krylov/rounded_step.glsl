// cg_step for an iteration in single precision: x = x + scale alpha p in double, r = r - alpha q,
// with r . r.
KERNEL(rounded_step)
    UNIFORM(real, alpha)
    UNIFORM(real, scale)
    IN(single, p)
    IN(single, q)
    INOUT(real, x)
    INOUT(single, r)
    REDUCE(sum, rr)
UPDATE(i)
{
    precise real moved = x(i) + scale * alpha * real(p(i));
    precise real left = real(r(i)) - alpha * real(q(i));
    x_new = moved;
    r_new = single(left);
    rr = product(left, left);
}
