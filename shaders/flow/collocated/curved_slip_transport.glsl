// What a face along which the fluid slips, of a curved wall, carries along its normal, for a list
// of them: minus the diffusion c (u_f - v), u_f the velocity at the face and v that of
// curved_slip_velocity, less its implicit part -c D u_c. cells with faces behind them and nodes
// (vector) -> list (vector)
KERNEL(curved_slip_transport)
    IN(uint, cell, 1)   // inside
    IN(uint, entry, 1)  // of u_f
    IN(uint, node, NODES_PER_CELL)
    IN(real, foot, NODES_PER_CELL)
    IN(real, conduction)  // c, negative where the normal enters the domain
    IN(vec, drag)         // the diagonal D
    GATHER(vec, u, cells, closure)
    GATHER(vec, t, nodes, closure)
VALUE(vec, k)
{
    vec first = t(node(k, 0u));
    vec inside = u(cell(k, 0u));
    precise vec rise = u(entry(k, 0u)) - inside;
    for (uint j = 1u; j < NODES_PER_CELL; ++j) rise -= foot(k, j) * (t(node(k, j)) - first);
    for (uint j = 0u; j < uint(DIMENSION); ++j)
        rise = with_component(
            rise, j, component_of(rise, j) + component_of(drag(k), j) * component_of(inside, j));
    return -conduction(k) * rise;
}
