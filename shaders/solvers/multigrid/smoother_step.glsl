// A later step of a Chebyshev smoother, written over the iterate before: x + keep (x - before) + gain D^-1 (b - A x).
KERNEL(smoother_step)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(reduced, entry, rows)            // a_ij, j not i
    IN(real, from)                      // what the rows gather: x, or sums of pieces (CutRows)
    IN(single, diagonal)                // D, 0 on fixed rows
    IN(real, b)
    IN(real, x)
    INOUT(real, before)
UPDATE(i)
{
    precise real sum = b(i) - real(diagonal(i)) * x(i);
    ADD_ROW(sum, rows_count(i), j, real(entry(i, j)) * -from(column(i, j)))
    precise real moved = x(i) + keep * (x(i) - before(i)) + gain * quotient(sum, real(diagonal(i)));
    before_new = moved;
}
