// What a step of a Chebyshev smoother reads, for vectors of TYPE: A is D and the rows here.
ROWS(rows, zero_padded)
IN(uint, column, rows)
IN(reduced, entry, rows)        // a_ij, j not i
GATHER(TYPE, from, rows, halo)  // what the rows gather: x, or sums of pieces (SplitRows)
IN(single, diagonal)            // D, 0 on fixed rows
IN(TYPE, b)
IN(TYPE, x)
