// A last step of a Chebyshev smoother, z = x + keep (x - before) + gain D^-1 (b - A x), and b . z.
KERNEL(chebyshev_last)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(reduced, entry, rows)  // a_ij, j not i
    IN(real, from)            // what the rows gather: x, or sums of pieces (SplitRows)
    IN(single, diagonal)      // D, 0 on fixed rows
    IN(real, b)
    IN(real, x)
    IN(real, before)
    REDUCE(sum, bz)
VALUE(real, i)
{
    precise real sum = b(i) - real(diagonal(i)) * x(i);
    ADD_ROW(sum, rows_count(i), j, real(entry(i, j)) * -from(column(i, j)))
    precise real moved = x(i) + keep * (x(i) - before(i)) + gain * quotient(sum, real(diagonal(i)));
    bz = product(b(i), moved);
    return moved;
}
