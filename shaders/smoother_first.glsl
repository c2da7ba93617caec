// A step of a Chebyshev smoother without an iterate before, or after zero: x + keep x + gain D^-1 (b - A x), where D^-1 A is
// 1 + the rows here.
KERNEL(smoother_first)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, entry, rows)               // a_ij / d_i, j not i
    IN(real, scaled)                    // D^-1 b
    IN(real, x)
VALUE(real, i)
{
    precise real sum = scaled(i) - x(i);
    for (uint j = 0u; j < rows_count(i); ++j)
        sum -= entry(i, j) * x(column(i, j));
    precise real moved = x(i) + keep * x(i) + gain * sum;
    return moved;
}
