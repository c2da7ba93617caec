// A last step of a Chebyshev smoother, z = x + keep (x - before) + gain D^-1 (b - A x), and b . z.
KERNEL(smoother_end)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, entry, rows)               // a_ij / d_i, j not i
    IN(single, diagonal)                // D
    IN(real, scaled)                    // D^-1 b
    IN(real, x)
    IN(real, before)
    REDUCE(sum, bz)
VALUE(real, i)
{
    precise real sum = scaled(i) - x(i);
    for (uint j = 0u; j < rows_count(i); ++j)
        sum -= entry(i, j) * x(column(i, j));
    precise real moved = x(i) + keep * (x(i) - before(i)) + gain * sum;
    bz = product(real(diagonal(i)) * scaled(i), moved);
    return moved;
}
