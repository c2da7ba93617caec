// y = A x with (A x)_i = d_i x_i + sum_j w_ij (x_i - x_j) where row i is free, 0 where it is fixed;
// and x . y. Of vectors: of each component, all with the same weights. The differences make A of a
// constant exactly d, in single precision too.
KERNEL(laplacian_spmv)
    ROWS(rows, zero_padded)
    IN(uint, column, rows)
    IN(real, weight, rows)       // w_ij = -a_ij
    IN(quantity, shift, or_one)  // d_i
    IN(real, free)               // 1 or 0
    GATHER(quantity, x, rows, halo)
    REDUCE(sum, xy, quantity)
VALUE(quantity, i)
{
    quantity xi = x(i);
    precise quantity sum = shift(i) * xi;
    ADD_ROW_OF(quantity, sum, rows_count(i), j, weight(i, j) * (xi - x(column(i, j))))
    sum *= free(i);
    xy = product(xi, sum);
    return sum;
}
