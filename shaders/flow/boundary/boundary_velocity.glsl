// The velocity at a boundary face that the flow inside decides: u_in = u_c + g_c . (x_f - x_c),
// with g_c the gradient of the node values' interpolant, less what the boundary takes from it: only
// components along kept directions remain. cells and nodes (vector) -> list (vector)
KERNEL(boundary_velocity)
    IN(uint, cell, 1)
    IN(uint, node, NODES_PER_CELL)  // of the cell; the one opposite the face is the last
    IN(real, reach)                 // 1, in thin cells less; 0: the cell's value as it is
    IN(vec, kept, DIMENSION)        // orthonormal, zero where there are fewer
    GATHER(vec, u, cells, closure)
    GATHER(vec, t, nodes, closure)
VALUE(vec, k)
{
    precise vec mean = vec(0);
    for (uint j = 0u; j < NODES_PER_FACE; ++j) mean += t(node(k, j));
    precise vec inside =
        u(cell(k, 0u)) + (reach(k) / real(NODES_PER_CELL)) *
                             (mean / real(NODES_PER_FACE) - t(node(k, NODES_PER_CELL - 1u)));
    precise vec sum = vec(0);
    for (uint j = 0u; j < uint(DIMENSION); ++j) sum += dot(kept(k, j), inside) * kept(k, j);
    return sum;
}
