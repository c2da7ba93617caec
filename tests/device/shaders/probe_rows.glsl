// Rows of varying length with entries of every type.
KERNEL(probe_rows)
    ROWS(rows)
    IN(uint, column, rows)
    IN(real, weight, rows)
    IN(vec, arm, rows)
    GATHER(real, x, rows, halo)
VALUE(real, i)
{
    precise real sum = real(0);
    for (uint j = 0u; j < rows_count(i); ++j)
        sum += weight(i, j) * x(column(i, j)) * dot(arm(i, j), arm(i, j));
    return sum;
}
