// Conjugate gradients: x = x + alpha p, r = r - alpha q, with r . r.
KERNEL(cg_step)
    UNIFORM(real, alpha)
    IN(real, p)
    IN(real, q)
    INOUT(real, x)
    INOUT(real, r)
    REDUCE(sum, rr)
UPDATE(i)
{
    precise real moved = x(i) + alpha * p(i);
    precise real left = r(i) - alpha * q(i);
    x_new = moved;
    r_new = left;
    rr = product(left, left);
}
