// Mean of the cells round a node.   cells (vector) -> nodes (vector)
KERNEL(node_mean)
    ROWS(cells)
    IN(uint, cell, cells)
    IN(vec, u)
VALUE(vec, i)
{
    precise vec sum = vec(0);
    real cells = real(0);  // by counting: conversions from uint to double give nan on some drivers
    for (uint j = 0u; j < cells_count(i); ++j) {
        sum += u(cell(i, j));
        cells += real(1);
    }
    return sum / cells;
}
