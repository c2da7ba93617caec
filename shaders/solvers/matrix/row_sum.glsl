// y = B x, B in rows: a restriction by rows of children, say.
KERNEL(row_sum)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(single, entry, rows)             // b_ij
    IN(real, x)
VALUE(real, i)
{
    precise real sum = real(0);
    ADD_ROW(sum, rows_count(i), j, real(entry(i, j)) * x(column(i, j)))
    return sum;
}
