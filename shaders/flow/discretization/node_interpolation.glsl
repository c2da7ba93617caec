// Node values of a cell field, exact for linear fields: t_i = sum over the cells round the node of
// w u_c. cells (vector or number) -> nodes (vector or number)
KERNEL(node_interpolation)
    ROWS(cells)
    IN(uint, cell, cells)
    IN(real, weight, cells)
    GATHER(quantity, u, cells, halo)
VALUE(quantity, i)
{
    precise quantity sum = quantity(0);
    ADD_ROW_OF(quantity, sum, cells_count(i), j, weight(i, j) * u(cell(i, j)))
    return sum;
}
