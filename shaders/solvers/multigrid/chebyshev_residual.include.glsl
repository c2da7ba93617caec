// sum = b - A x of row i.
precise TYPE sum = b(i) - real(diagonal(i)) * x(i);
ADD_ROW_OF(TYPE, sum, rows_count(i), j, real(entry(i, j)) * -from(column(i, j)))
