// A later step of a Chebyshev smoother, written over the iterate before: x + keep (x - before) +
// gain D^-1 (b - A x).
KERNEL(chebyshev_step)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(reduced, entry, rows)  // a_ij, j not i
    IN(quantity, from)        // what the rows gather: x, or sums of pieces (SplitRows)
    IN(single, diagonal)      // D, 0 on fixed rows
    IN(quantity, b)
    IN(quantity, x)
    INOUT(quantity, before)
UPDATE(i)
{
    precise quantity sum = b(i) - real(diagonal(i)) * x(i);
    ADD_ROW_OF(quantity, sum, rows_count(i), j, real(entry(i, j)) * -from(column(i, j)))
    precise quantity moved =
        x(i) + keep * (x(i) - before(i)) + gain * quotient(sum, real(diagonal(i)));
    before_new = moved;
}
