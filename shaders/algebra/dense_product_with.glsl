// y = f A x + g b, A column by column.
KERNEL(dense_product_with)
    UNIFORM(uint, rows)
    UNIFORM(uint, columns)
    UNIFORM(real, f)
    UNIFORM(real, g)
    TABLE(real, a)
    TABLE(real, x)
    IN(real, b)
VALUE(real, i)
{
    INCLUDE(dense_row, real)
    precise real all = f * sum + g * b(i);
    return all;
}
