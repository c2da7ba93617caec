// y = y + B x, B in rows: a prolongation, say.
KERNEL(spmv_add)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(single, entry, rows)  // b_ij
    GATHER(quantity, x, rows, halo)
    INOUT(quantity, y)
UPDATE(i)
{
    precise quantity sum = y(i);
    ADD_ROW_OF(quantity, sum, rows_count(i), j, real(entry(i, j)) * x(column(i, j)))
    y_new = sum;
}
