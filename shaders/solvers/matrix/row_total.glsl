// The sum of a row's entries.   entries -> rows
KERNEL(row_total)
    ROWS(rows, zero_padded)
    IN(real, weight, rows)
VALUE(real, i)
{
    precise real sum = real(0);
    ADD_ROW(sum, rows_count(i), j, weight(i, j))
    return sum;
}
