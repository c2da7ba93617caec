// Conjugate gradients: p = M^-1 r + beta p with a diagonal M.
KERNEL(cg_direction)
    UNIFORM(real, beta)
    IN(real, inverse_diagonal)
    IN(real, r)
    INOUT(real, p)
UPDATE(i)
{
    precise real sum = inverse_diagonal(i) * r(i) + beta * p(i);
    p_new = sum;
}
