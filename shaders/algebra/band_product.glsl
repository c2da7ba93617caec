// y = A x, A by its diagonals: the entry of diagonal d in row i multiplies x at i + shift, from the
// row `wrap` on that at i + shift - length, where the opposing diagonal lies in the same vector. x
// is held from the least column that a row reads on, `held` numbers.
KERNEL(band_product)
    UNIFORM(uint, rows)
    UNIFORM(uint, diagonals)
    UNIFORM(uint, length)
    UNIFORM(uint, held)
    TABLE(uint, shift)
    TABLE(uint, wrap)
    TABLE(real, a)
    TABLE(real, x)
VALUE(real, i)
{
    INCLUDE(band_row, real)
    return sum;
}
