// Velocities at nodes of a surface where the viscosity jumps, for a list of them: along the
// surface, with its kink, sum over the cells round the node of w u_c + s (n . u_c); across it what
// they are.   cells (vector), nodes (vector) -> list (vector)
KERNEL(kinked_node)
    ROWS(cells)
    IN(uint, cell, cells)
    IN(real, weight, cells)  // w
    IN(vec, slope, cells)    // s
    IN(uint, node, 1)
    IN(vec, normal)  // n
    GATHER(vec, u, cells, halo)
    GATHER(vec, t, nodes, closure)  // at nodes
VALUE(vec, k)
{
    vec n = normal(k);
    precise vec sum = vec(0);
    for (uint j = 0u; j < cells_count(k); ++j)
        sum += weight(k, j) * u(cell(k, j)) + dot(n, u(cell(k, j))) * slope(k, j);
    return sum + dot(n, t(node(k, 0u)) - sum) * n;
}
