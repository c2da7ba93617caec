// The force of the fluid by the residual of momentum's weak form (node_reaction), tested with phi:
// each cell's sum over its nodes of phi times the cell's part of the node's residual, and of the
// moments of these about the origin, in 2D in the first component. nodes (number, vector) and cells
// (vector, number) -> cells (vectors)
KERNEL(weak_load)
    IN(uint, node, NODES_PER_CELL)
    IN(vec, area, NODES_PER_CELL)  // outward, opposite the node
    IN(real, volume)
    IN(real, nu)
    IN(vec, rate)  // du/dt
    IN(vec, body)  // a
    GATHER(real, phi, nodes, closure)
    TABLE(vec, place)  // of nodes
    GATHER(vec, t, nodes, closure)
    GATHER(real, p, nodes, closure)
    OUT(vec, load)
    OUT(vec, moment)
UPDATE(c)
{
    vec first = t(node(c, 0u));
    precise vec total = first;
    precise real pressure = p(node(c, 0u));
    for (uint n = 1u; n < NODES_PER_CELL; ++n) {
        total += t(node(c, n));
        pressure += p(node(c, n));
    }
    real of_dimension = real(1) / real(DIMENSION);
    real of_nodes = real(1) / real(DIMENSION + 1);
    real of_pairs = of_nodes / real(DIMENSION + 2);
    real friction = of_dimension * nu(c) / volume(c);
    vec change = (of_nodes * volume(c)) * (rate(c) - body(c));
    pressure = of_nodes * pressure;
    precise vec force = vec(0);
    precise vec turning = vec(0);
    for (uint j = 0u; j < NODES_PER_CELL; ++j) {
        vec opposite = area(c, j);
        vec carrying = of_pairs * (t(node(c, j)) + total);
        precise vec part = pressure * opposite;
        for (uint n = 1u; n < NODES_PER_CELL; ++n) {
            vec rise = t(node(c, n)) - first;
            part += (friction * dot(area(c, n), opposite) - dot(area(c, n), carrying)) * rise +
                    (friction * dot(rise, opposite)) * area(c, n);
        }
        vec here = phi(node(c, j)) * (of_dimension * part + change);
        vec x = place(node(c, j));
        force -= here;
        for (uint k = 0u; k < NODES_PER_CELL - 1u; ++k) {
            uint a = (k + NODES_PER_CELL - 3u) % (NODES_PER_CELL - 1u);
            uint b = (k + NODES_PER_CELL - 2u) % (NODES_PER_CELL - 1u);
            real about = component_of(x, a) * component_of(here, b) -
                         component_of(x, b) * component_of(here, a);
            turning = with_component(turning, k, component_of(turning, k) - about);
        }
    }
    load_new = force;
    moment_new = turning;
}
