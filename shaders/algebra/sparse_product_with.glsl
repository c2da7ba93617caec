// y = f A x + g b, A in rows.
KERNEL(sparse_product_with)
    UNIFORM(real, f)
    UNIFORM(real, g)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, entry, rows)
    GATHER(real, x, rows, halo)
    IN(real, b)
VALUE(real, i)
{
    precise real sum = real(0);
    ADD_ROW(sum, rows_count(i), j, entry(i, j) * x(column(i, j)))
    precise real all = f * sum + g * b(i);
    return all;
}
