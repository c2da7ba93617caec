// x = x + Pi z: of vectors at nodes their linear field's integral along each edge.   nodes (vector)
// -> edges
KERNEL(edge_integral)
    IN(uint, node, 2)
    IN(vec, weight)  // of either node: half of the edge, 0 on fixed edges
    GATHER(vec, z, rows, halo)
    INOUT(real, x)
UPDATE(e)
{
    precise real sum = x(e) + dot(weight(e), z(node(e, 0u)) + z(node(e, 1u)));
    x_new = sum;
}
