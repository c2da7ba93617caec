// r = b - A x on the free rows, 0 on the fixed ones, A as in laplacian_spmv; and r . r.
KERNEL(laplacian_residual)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, weight, rows)
    IN(quantity, shift, or_one)
    IN(real, free)
    IN(quantity, b)
    GATHER(quantity, x, rows, halo)
    REDUCE(sum, rr, quantity)
VALUE(quantity, i)
{
    quantity xi = x(i);
    precise quantity sum = b(i) - shift(i) * xi;
    ADD_ROW_OF(quantity, sum, rows_count(i), j, weight(i, j) * -(xi - x(column(i, j))))
    sum *= free(i);
    rr = product(sum, sum);
    return sum;
}
