// The largest of sign times u over the cells round a node and, on the boundary, of the node's own
// value. cells and nodes (vector or number, by component) -> nodes (vector or number)
KERNEL(node_extreme)
    UNIFORM(real, sign)  // 1 or -1
    ROWS(cells)
    IN(uint, cell, cells)
    IN(real, on_boundary)  // 1 or 0
    GATHER(quantity, u, cells, halo)
    IN(quantity, t)
VALUE(quantity, i)
{
    quantity largest = sign * u(cell(i, 0u));
    for (uint j = 1u; j < cells_count(i); ++j) largest = max(largest, sign * u(cell(i, j)));
    if (on_boundary(i) != real(0)) largest = max(largest, sign * t(i));
    return largest;
}
