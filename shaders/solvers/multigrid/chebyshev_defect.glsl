// r = b - A x, where A is D and the rows here.
KERNEL(chebyshev_defect)
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
    return sum;
}
