// By how much a cell's value exceeds the mean of its node values: what the linear interpolant of
// the nodes lacks there. cells and nodes (vector or number) -> cells (vector or number)
KERNEL(cell_defect)
    IN(uint, node, NODES_PER_CELL)
    IN(quantity, u)
    GATHER(quantity, t, nodes, closure)
VALUE(quantity, c)
{
    precise quantity sum = quantity(0);
    for (uint j = 0u; j < NODES_PER_CELL; ++j) sum += t(node(c, j));
    return u(c) - sum / real(NODES_PER_CELL);
}
