// r = b - A x from D^-1 b, where D^-1 A = 1 + the rows here.
KERNEL(smoother_defect)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, entry, rows)               // a_ij / d_i, j not i
    IN(single, diagonal)                // D
    IN(real, scaled)                    // D^-1 b
    IN(real, x)
VALUE(real, i)
{
    precise real sum = scaled(i) - x(i);
    for (uint j = 0u; j < rows_count(i); ++j)
        sum -= entry(i, j) * x(column(i, j));
    sum *= real(diagonal(i));
    return sum;
}
