// The residual of momentum tested with a node's linear function phi, in velocities and pressures
// linear in each cell,
//   -sum over the cells round it of the integral of phi (du/dt - a) + phi (u . grad) u + 2 nu S
//       grad(phi) - p grad(phi),
// S the strain rate, du/dt - a constant in a cell, grad(phi) = -A / (d V), A the outward area
// opposite the node. cells and nodes (vector, number) -> nodes (vector)
KERNEL(node_reaction)
    ROWS(cells)
    IN(uint, corner, cells)  // 4 c + the node's place in the cell
    IN(uint, node, NODES_PER_CELL)
    TABLE(vec, area, NODES_PER_CELL)  // A
    TABLE(real, volume)
    GATHER(real, nu, cells, halo)
    GATHER(vec, rate, cells, halo)  // du/dt
    GATHER(vec, body, cells, halo)  // a
    GATHER(vec, t, nodes, halo)
    GATHER(real, p, nodes, halo)
VALUE(vec, i)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < cells_count(i); ++j) {
        uint c = corner(i, j) / 4u;
        vec opposite = area(c, corner(i, j) % 4u);
        vec first = t(node(c, 0u));
        precise vec carrying = t(node(c, corner(i, j) % 4u)) + first;
        precise real pressure = p(node(c, 0u));
        for (uint n = 1u; n < NODES_PER_CELL; ++n) {
            carrying += t(node(c, n));
            pressure += p(node(c, n));
        }
        carrying = carrying / real((DIMENSION + 1) * (DIMENSION + 2));
        real friction = nu(c) / (real(DIMENSION) * volume(c));
        precise vec part = (pressure / real(DIMENSION + 1)) * opposite;
        for (uint n = 1u; n < NODES_PER_CELL; ++n) {
            vec rise = t(node(c, n)) - first;
            part += (friction * dot(area(c, n), opposite) - dot(area(c, n), carrying)) * rise +
                    (friction * dot(rise, opposite)) * area(c, n);
        }
        sum -= part / real(DIMENSION) + (volume(c) / real(DIMENSION + 1)) * (rate(c) - body(c));
    }
    return sum;
}
