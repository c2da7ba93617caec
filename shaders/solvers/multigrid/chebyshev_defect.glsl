// r = b - A x, where A is D and the rows here.
KERNEL(chebyshev_defect)
    INCLUDE(chebyshev_matrix, quantity)
VALUE(quantity, i)
{
    INCLUDE(chebyshev_residual, quantity)
    return sum;
}
