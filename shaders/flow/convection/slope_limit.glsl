// The part of a cell's slope, 0 to 1 by component, with which its reconstruction stays at each of
// its nodes between the least and the largest value round that node (Kuzmin 2010). The slope takes
// the value at node j to u + t_j - mean(t). cells and nodes (vector or number) -> cells (vector or
// number)
KERNEL(slope_limit)
    UNIFORM(real, tiny)  // keeps 0 / 0 from happening
    IN(uint, node, NODES_PER_CELL)
    IN(quantity, u)
    GATHER(quantity, t, nodes, closure)
    GATHER(quantity, largest, nodes, closure)
    GATHER(quantity, least_negated, nodes, closure)
VALUE(quantity, c)
{
    precise quantity mean = quantity(0);
    for (uint j = 0u; j < NODES_PER_CELL; ++j) mean += t(node(c, j));
    mean = mean / real(NODES_PER_CELL);
    quantity part = quantity(1);
    for (uint j = 0u; j < NODES_PER_CELL; ++j) {
        uint i = node(c, j);
        precise quantity rise = t(i) - mean;
        precise quantity above = largest(i) - u(c);
        precise quantity below = least_negated(i) + u(c);
        part = min(part, (max(above, quantity(0)) + tiny) / (max(rise, quantity(0)) + tiny));
        part = min(part, (max(below, quantity(0)) + tiny) / (max(-rise, quantity(0)) + tiny));
    }
    return part;
}
