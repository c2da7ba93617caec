// By how much a cell's value exceeds the mean of its node values: what the linear interpolant of the nodes lacks there.
// cells and nodes (vector) -> cells (vector)
KERNEL(cell_defect)
    IN(uint, node, NODES_PER_CELL)
    IN(vec, u)
    IN(vec, t)
VALUE(vec, c)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < NODES_PER_CELL; ++j)
        sum += t(node(c, j));
    return u(c) - sum / real(NODES_PER_CELL);
}
