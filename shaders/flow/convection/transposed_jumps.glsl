// Adds to what the faces bring into a cell half of the transposed interpolation to nodes, applied
// to node_jumps, less its roughness. nodes (vector) -> cells (vector)
KERNEL(transposed_jumps)
    IN(uint, node, NODES_PER_CELL)
    IN(real, weight, NODES_PER_CELL)  // of the cell in that node's interpolation
    GATHER(vec, at_nodes, nodes, closure)
    IN(vec, rough)  // of roughness
    INOUT(vec, brought)
UPDATE(c)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < NODES_PER_CELL; ++j) sum += weight(c, j) * at_nodes(node(c, j));
    brought_new = brought(c) + (sum / real(2) - rough(c));
}
