// A later step of a Chebyshev smoother, written over the iterate before: x + keep (x - before) + gain D^-1 (b - A x).
KERNEL(smoother_step)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, entry, rows)               // a_ij / d_i, j not i
    IN(real, scaled)                    // D^-1 b
    IN(real, x)
    INOUT(real, before)
UPDATE(i)
{
    precise real sum = scaled(i) - x(i);
    for (uint j = 0u; j < rows_count(i); ++j)
        sum -= entry(i, j) * x(column(i, j));
    precise real moved = x(i) + keep * (x(i) - before(i)) + gain * sum;
    before_new = moved;
}
