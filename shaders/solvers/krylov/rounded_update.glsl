// cg_update for an iteration in single precision: x = x + scale alpha p in double, r = r - alpha q,
// with r . r and r . M^-1 r for a diagonal M.
KERNEL(rounded_update)
    UNIFORM(real, alpha)
    UNIFORM(real, scale)
    IN(single, p)
    IN(single, q)
    IN(single, inverse_diagonal)
    INOUT(real, x)
    INOUT(single, r)
    REDUCE(sum, rr)
    REDUCE(sum, rz)
UPDATE(i)
{
    precise real moved = x(i) + scale * alpha * real(p(i));
    precise real left = real(r(i)) - alpha * real(q(i));
    x_new = moved;
    r_new = single(left);
    rr = product(left, left);
    rz = product(left, real(inverse_diagonal(i)) * left);
}
