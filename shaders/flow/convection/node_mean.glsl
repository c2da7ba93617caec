// Mean of the cells round a node.   cells (vector) -> nodes (vector)
KERNEL(node_mean)
    ROWS(cells)
    IN(uint, cell, cells)
    GATHER(vec, u, cells, halo)
VALUE(vec, i)
{
    precise vec sum = vec(0);
    // by counting: conversions from uint to double give nan on some drivers
    precise real cells = real(0);
    ADD_ROW_OF(vec, sum, cells_count(i), j, u(cell(i, j)))
    ADD_ROW(cells, cells_count(i), k, real(1))
    return sum / cells;
}
