// Gradient of node values, linear in each cell: 1/V sum over faces of T_f n_f = -1/(d V) sum over
// nodes of T_i S_i, with S_i the outward area vector opposite node i; as differences, so that a
// constant gives exactly zero. nodes -> cells (vector)
KERNEL(node_gradient)
    IN(uint, node, NODES_PER_CELL)
    IN(vec, area, NODES_PER_CELL)  // S_i
    IN(real, volume)
    GATHER(real, temperature, nodes, closure)
VALUE(vec, c)
{
    real first = temperature(node(c, 0u));
    precise vec sum = vec(0);
    for (uint j = 1u; j < NODES_PER_CELL; ++j)
        sum += (first - temperature(node(c, j))) * area(c, j);
    return sum / (real(DIMENSION) * volume(c));
}
