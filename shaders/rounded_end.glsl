// smoother_end of a smoother in single precision for vectors in double: z = x + keep (x - before) + gain D^-1 (b - A x), and b . z.
KERNEL(rounded_end)
    UNIFORM(real, keep)
    UNIFORM(real, gain)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(single, entry, rows)             // a_ij, j not i
    IN(single, from)                    // what the rows gather: x, or sums of pieces (CutRows)
    IN(single, diagonal)                // D, 0 on fixed rows
    IN(real, b)
    IN(single, x)
    IN(single, before)
    REDUCE(sum, bz)
VALUE(real, i)
{
    precise real sum = b(i) - real(diagonal(i)) * real(x(i));
    ADD_ROW(sum, rows_count(i), j, real(entry(i, j)) * -real(from(column(i, j))))
    precise real moved = real(x(i)) + keep * (real(x(i)) - real(before(i))) + gain * quotient(sum, real(diagonal(i)));
    bz = product(b(i), moved);
    return moved;
}
