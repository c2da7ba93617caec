// y = A^T x, A column by column: of the rows that this rank has.
KERNEL(dense_transposed_product)
    UNIFORM(uint, rows)
    TABLE(real, a)
    TABLE(real, x)
VALUE(real, j)
{
    precise real sum = real(0);
    for (uint i = 0u; i < rows; ++i) sum += a(j * rows + i) * x(i);
    return sum;
}
