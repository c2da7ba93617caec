// y = A x on free rows, 0 on fixed ones, A in rows with its diagonal; and x . y.
KERNEL(spmv_dot)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, entry, rows)  // a_ij
    IN(real, free)         // 1 or 0
    GATHER(real, x, rows, halo)
    REDUCE(sum, xy)
VALUE(real, i)
{
    precise real sum = real(0);
    ADD_ROW(sum, rows_count(i), j, entry(i, j) * x(column(i, j)))
    sum *= free(i);
    xy = product(x(i), sum);
    return sum;
}
