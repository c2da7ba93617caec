// Conjugate gradients: x = x + alpha p, r = r - alpha q, with r . r and r . M^-1 r for a diagonal
// M.
KERNEL(cg_update)
    UNIFORM(real, alpha)
    IN(real, p)
    IN(real, q)
    IN(real, inverse_diagonal)
    INOUT(real, x)
    INOUT(real, r)
    REDUCE(sum, rr)
    REDUCE(sum, rz)
UPDATE(i)
{
    precise real moved = x(i) + alpha * p(i);
    precise real left = r(i) - alpha * q(i);
    x_new = moved;
    r_new = left;
    rr = product(left, left);
    rz = product(left, inverse_diagonal(i) * left);
}
