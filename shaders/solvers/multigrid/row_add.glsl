// y = y + B x, B in rows: a prolongation, say.
KERNEL(row_add)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(single, entry, rows)             // b_ij
    IN(real, x)
    INOUT(real, y)
UPDATE(i)
{
    precise real sum = y(i);
    ADD_ROW(sum, rows_count(i), j, real(entry(i, j)) * x(column(i, j)))
    y_new = sum;
}
