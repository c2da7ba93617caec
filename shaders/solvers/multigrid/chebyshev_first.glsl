// A step of a Chebyshev smoother without an iterate before, or after zero: x + keep x + gain D^-1
// (b - A x), where A is D and the rows here.
KERNEL(chebyshev_first)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(reduced, entry, rows)  // a_ij, j not i
    IN(quantity, from)        // what the rows gather: x, or sums of pieces (SplitRows)
    IN(single, diagonal)      // D, 0 on fixed rows
    IN(quantity, b)
    IN(quantity, x)
VALUE(quantity, i)
{
    precise quantity sum = b(i) - real(diagonal(i)) * x(i);
    ADD_ROW_OF(quantity, sum, rows_count(i), j, real(entry(i, j)) * -from(column(i, j)))
    precise quantity moved = x(i) + keep * x(i) + gain * quotient(sum, real(diagonal(i)));
    return moved;
}
