// r = b - A x, A in rows.
KERNEL(row_defect)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, entry, rows)               // a_ij
    IN(real, b)
    IN(real, x)
VALUE(real, i)
{
    precise real sum = b(i);
    for (uint j = 0u; j < rows_count(i); ++j)
        sum -= entry(i, j) * x(column(i, j));
    return sum;
}
