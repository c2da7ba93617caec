// What a face along which the fluid slips, of a curved wall, carries along its normal, for a list
// of them: minus the diffusion c (u_f - v), u_f the velocity at the face and v that of
// curved_slip_velocity, less its implicit part -c D u_c. Along the normal, where the velocity is 0
// and bends, the slope is that of a parabola: c (u_f - v - (p - 1) n n . w), w the cell's
// reconstruction at the face's centroid. cells with faces behind them and nodes (vector) -> list
// (vector)
KERNEL(curved_slip_transport)
    IN(uint, cell, 1)   // inside
    IN(uint, entry, 1)  // of u_f
    IN(uint, node, NODES_PER_CELL)
    IN(real, foot, NODES_PER_CELL)
    IN(real, reach, NODES_PER_CELL)  // w = u_c + sum_j reach_j (t_j - t_0)
    IN(real, conduction)             // c, negative where the normal enters the domain
    IN(vec, drag)                    // the diagonal D
    IN(vec, bend)                    // n (p - 1)^(1/2)
    GATHER(vec, u, cells, closure)
    GATHER(vec, t, nodes, closure)
VALUE(vec, k)
{
    vec first = t(node(k, 0u));
    vec inside = u(cell(k, 0u));
    precise vec rise = u(entry(k, 0u)) - inside;
    precise vec w = inside;
    for (uint j = 1u; j < NODES_PER_CELL; ++j) {
        vec change = t(node(k, j)) - first;
        rise -= foot(k, j) * change;
        w += reach(k, j) * change;
    }
    rise -= dot(bend(k), w) * bend(k);
    for (uint j = 0u; j < uint(DIMENSION); ++j)
        rise = with_component(
            rise, j, component_of(rise, j) + component_of(drag(k), j) * component_of(inside, j));
    return -conduction(k) * rise;
}
