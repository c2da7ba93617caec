// A last step of a Chebyshev smoother, z = x + keep (x - before) + gain D^-1 (b - A x), and b . z.
KERNEL(chebyshev_last)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    INCLUDE(chebyshev_matrix, real)
    IN(real, before)
    REDUCE(sum, bz)
VALUE(real, i)
{
    INCLUDE(chebyshev_residual, real)
    precise real moved = x(i) + keep * (x(i) - before(i)) + gain * quotient(sum, real(diagonal(i)));
    bz = product(b(i), moved);
    return moved;
}
