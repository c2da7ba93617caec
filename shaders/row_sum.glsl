// y = B x, B in rows: a restriction by rows of children, say.
KERNEL(row_sum)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(single, entry, rows)             // b_ij
    IN(real, x)
VALUE(real, i)
{
    precise real sum = real(0);
    for (uint j = 0u; j < rows_count(i); ++j)
        sum += real(entry(i, j)) * x(column(i, j));
    return sum;
}
