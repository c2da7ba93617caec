// The second derivative A d2p/dn2 of the pressure, by density, that bends the flow along a curved
// wall with a velocity of its own, for a list of faces of it: the change of u . S u along the
// normal, on which dS/dn = -S S:
//   A (2 S u . du/dn - |S u|^2),   S = sum of k e e^T.
// du/dn is from the foot of the face's normal through its centroid, as in curved_slip_velocity.
// cells with faces behind them and nodes (vector) -> list
KERNEL(curved_wall_second)
    IN(uint, entry, 1)              // of the face's velocity
    IN(uint, cell, 1)               // inside
    IN(uint, node, NODES_PER_CELL)  // of that cell
    IN(real, foot, NODES_PER_CELL)
    IN(vec, direction, DIMENSION)  // e, orthonormal; the last one is zero
    IN(vec, bend, DIMENSION)       // k e
    IN(real, area)                 // A, negative where the face's normal enters the domain
    IN(real, distance)             // of the cell's centroid
    GATHER(vec, u, cells, closure)
    GATHER(vec, t, nodes, closure)
VALUE(real, k)
{
    vec here = u(entry(k, 0u));
    vec first = t(node(k, 0u));
    precise vec rise = here - u(cell(k, 0u));
    for (uint j = 1u; j < NODES_PER_CELL; ++j) rise -= foot(k, j) * (t(node(k, j)) - first);
    precise vec bent = vec(0);
    for (uint i = 0u; i < uint(DIMENSION); ++i) bent += dot(direction(k, i), here) * bend(k, i);
    return area(k) * dot(bent, real(2) / distance(k) * rise - bent);
}
