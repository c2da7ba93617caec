// A step of a Chebyshev smoother without an iterate before, or after zero: x + keep x + gain D^-1
// (b - A x), where A is D and the rows here.
KERNEL(chebyshev_first)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    INCLUDE(chebyshev_matrix, quantity)
VALUE(quantity, i)
{
    INCLUDE(chebyshev_residual, quantity)
    precise quantity moved = x(i) + keep * x(i) + gain * quotient(sum, real(diagonal(i)));
    return moved;
}
