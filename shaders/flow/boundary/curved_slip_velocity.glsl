// The velocity at a face along which the fluid slips, of a curved wall, for a list of them: along
// each kept direction that at the foot of the face's normal through its centroid, v = u_c + sum_j
// foot_j (t_j - t_0), times 1 / (1 - k d), k the curvature and d the distance: du/dn = k u. cells
// and nodes (vector) -> list (vector)
KERNEL(curved_slip_velocity)
    IN(uint, cell, 1)               // inside
    IN(uint, node, NODES_PER_CELL)  // of that cell
    IN(real, foot, NODES_PER_CELL)
    IN(vec, kept, DIMENSION)  // orthogonal, of the length (1 - k d)^(-1/2); the last one is zero
    GATHER(vec, u, cells, closure)
    GATHER(vec, t, nodes, closure)
VALUE(vec, k)
{
    vec first = t(node(k, 0u));
    precise vec v = u(cell(k, 0u));
    for (uint j = 1u; j < NODES_PER_CELL; ++j) v += foot(k, j) * (t(node(k, j)) - first);
    precise vec sum = vec(0);
    for (uint j = 0u; j < uint(DIMENSION); ++j) sum += dot(kept(k, j), v) * kept(k, j);
    return sum;
}
