// Conjugate gradients: p = z + beta p, with z = M^-1 r.
KERNEL(cg_turn)
    UNIFORM(real, beta)
    IN(real, z)
    INOUT(real, p)
UPDATE(i)
{
    precise real sum = z(i) + beta * p(i);
    p_new = sum;
}
