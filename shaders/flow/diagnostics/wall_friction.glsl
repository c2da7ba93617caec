// Friction of the fluid on boundary faces, by density, for a list of them: -nu A du/dn, n outward,
// with the scheme's own derivative (boundary_transport) less its component along n.   cells
// (vector) and nodes (vector) -> list (vector)
KERNEL(wall_friction)
    UNIFORM(uint, first)              // the velocity at the list's k-th face is u(first + k)
    IN(uint, cell, 1)                 // inside
    IN(uint, node, NODES_PER_CELL)    // of that cell
    IN(real, weight, NODES_PER_CELL)  // of boundary_transport, along n
    IN(real, conduction)              // of the face's value and the cell's
    IN(real, nu)
    IN(vec, area)  // A n
    GATHER(vec, u, cells, closure)
    GATHER(vec, t, nodes, closure)
VALUE(vec, k)
{
    vec origin = t(node(k, 0u));
    precise vec rise = conduction(k) * (u(first + k) - u(cell(k, 0u)));
    for (uint j = 1u; j < NODES_PER_CELL; ++j) rise -= weight(k, j) * (t(node(k, j)) - origin);
    precise vec along = rise - (dot(rise, area(k)) / dot(area(k), area(k))) * area(k);
    return -nu(k) * along;
}
