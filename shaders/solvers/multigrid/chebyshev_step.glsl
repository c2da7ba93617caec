// A later step of a Chebyshev smoother, written over the iterate before: x + keep (x - before) +
// gain D^-1 (b - A x).
KERNEL(chebyshev_step)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    INCLUDE(chebyshev_matrix, quantity)
    INOUT(quantity, before)
UPDATE(i)
{
    INCLUDE(chebyshev_residual, quantity)
    precise quantity moved =
        x(i) + keep * (x(i) - before(i)) + gain * quotient(sum, real(diagonal(i)));
    before_new = moved;
}
