// r = b - A x on free rows, 0 on fixed ones, A in rows with its diagonal; and r . r.
KERNEL(residual_norm)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, entry, rows)  // a_ij
    IN(real, free)         // 1 or 0
    IN(real, b)
    GATHER(real, x, rows, halo)
    REDUCE(sum, rr)
VALUE(real, i)
{
    precise real sum = b(i);
    ADD_ROW(sum, rows_count(i), j, entry(i, j) * -x(column(i, j)))
    sum *= free(i);
    rr = product(sum, sum);
    return sum;
}
