// y = B x, B in rows: a restriction by rows of children, say.
KERNEL(spmv)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(single, entry, rows)  // b_ij
    GATHER(quantity, x, rows, halo)
VALUE(quantity, i)
{
    precise quantity sum = quantity(0);
    ADD_ROW_OF(quantity, sum, rows_count(i), j, real(entry(i, j)) * x(column(i, j)))
    return sum;
}
