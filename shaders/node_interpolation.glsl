// Node values of a cell field, exact for linear fields: t_i = sum over the cells round the node of w u_c.
// cells (vector) -> nodes (vector)
KERNEL(node_interpolation)
    ROWS(cells)
    IN(uint, cell, cells)
    IN(real, weight, cells)
    IN(vec, u)
VALUE(vec, i)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < cells_count(i); ++j)
        sum += weight(i, j) * u(cell(i, j));
    return sum;
}
