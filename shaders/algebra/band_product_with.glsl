// y = f A x + g b, A by its diagonals as band_product has them.
KERNEL(band_product_with)
    UNIFORM(uint, rows)
    UNIFORM(uint, diagonals)
    UNIFORM(uint, length)
    UNIFORM(uint, held)
    UNIFORM(real, f)
    UNIFORM(real, g)
    TABLE(uint, shift)
    TABLE(uint, wrap)
    TABLE(real, a)
    TABLE(real, x)
    IN(real, b)
VALUE(real, i)
{
    INCLUDE(band_row, real)
    precise real all = f * sum + g * b(i);
    return all;
}
