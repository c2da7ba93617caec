// y = A x, A in rows.
KERNEL(sparse_product)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, entry, rows)
    GATHER(real, x, rows, halo)
VALUE(real, i)
{
    precise real sum = real(0);
    ADD_ROW(sum, rows_count(i), j, entry(i, j) * x(column(i, j)))
    return sum;
}
