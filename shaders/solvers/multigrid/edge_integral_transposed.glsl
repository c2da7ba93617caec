// Pi^T x of edge_integral.   edges -> nodes (vector)
KERNEL(edge_integral_transposed)
    ROWS(rows, zero_padded)
    IN(uint, edge, rows)
    IN(vec, weight, rows)
    GATHER(real, x, rows, halo)
VALUE(vec, i)
{
    precise vec sum = vec(0);
    ADD_ROW_OF(vec, sum, rows_count(i), j, x(edge(i, j)) * weight(i, j))
    return sum;
}
