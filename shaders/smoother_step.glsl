// A step of a Chebyshev smoother: x + keep x - drop x_before + gain D^-1 (b - A x).
KERNEL(smoother_step)
    UNIFORM(real, keep)
    UNIFORM(real, drop)
    UNIFORM(real, gain)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, entry, rows)               // a_ij
    IN(real, inverse_diagonal)
    IN(real, b)
    IN(real, x)
    IN(real, before)
VALUE(real, i)
{
    precise real sum = b(i);
    for (uint j = 0u; j < rows_count(i); ++j)
        sum -= entry(i, j) * x(column(i, j));
    precise real moved = x(i) + keep * x(i) - drop * before(i) + gain * inverse_diagonal(i) * sum;
    return moved;
}
