// r = b - A x on the free rows, 0 on the fixed ones, A as in difference_product; and r . r.
KERNEL(difference_residual)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, weight, rows)
    IN(real, shift)
    IN(real, free)
    IN(real, b)
    IN(real, x)
    REDUCE(sum, rr)
VALUE(real, i)
{
    real xi = x(i);
    precise real sum = b(i) - shift(i) * xi;
    ADD_ROW(sum, rows_count(i), j, weight(i, j) * -(xi - x(column(i, j))))
    sum *= free(i);
    rr = product(sum, sum);
    return sum;
}
