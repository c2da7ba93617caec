// y = A x, A column by column.
KERNEL(dense_product)
    UNIFORM(uint, rows)
    UNIFORM(uint, columns)
    TABLE(real, a)
    TABLE(real, x)
VALUE(real, i)
{
    INCLUDE(dense_row, real)
    return sum;
}
