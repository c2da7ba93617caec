// Power through boundary faces into the domain, by density, for a list of them, U and n outward:
//   carried = U (u_c^2 / 2 - u_b . u_c)    by the flow, u_b what is carried: of a cell's own
//       energy what its faces inside do not trade
//   rubbed  = nu A du/dn . u_f             by friction, u_f the velocity of the face, du/dn as
//       in boundary_transport
//   pressed = -p U                         by the pressure
KERNEL(boundary_power)
    UNIFORM(uint, first)  // u_f of the list's k-th face is u(first + k)
    // the normal as an orientation: reversed where it points inwards
    IN(uint, face, 1)
    IN(uint, cell, 1)               // inside
    IN(uint, node, NODES_PER_CELL)  // of that cell
    IN(uint, face_node, NODES_PER_FACE)
    IN(real, weight, NODES_PER_CELL)  // of boundary_transport, along n
    IN(real, conduction)              // of the face's value and the cell's
    IN(real, nu)                      // of the list
    GATHER(real, flux, faces, closure)
    GATHER(vec, u, cells, closure)
    GATHER(vec, t, nodes, closure)   // node values of u
    IN(vec, value)                   // u_b
    GATHER(real, p, nodes, closure)  // at nodes
    REDUCE(sum, carried)
    REDUCE(sum, rubbed)
    REDUCE(sum, pressed)
UPDATE(k)
{
    real outward = orientation_of(face(k, 0u)) * flux(entity_of(face(k, 0u)));
    vec inside = u(cell(k, 0u));
    vec origin = t(node(k, 0u));
    precise vec rise = conduction(k) * (u(first + k) - inside);
    for (uint j = 1u; j < NODES_PER_CELL; ++j) rise -= weight(k, j) * (t(node(k, j)) - origin);
    precise real mean = real(0);
    for (uint j = 0u; j < NODES_PER_FACE; ++j) mean += p(face_node(k, j));
    carried = product(outward, dot(inside / real(2) - value(k), inside));
    rubbed = product(nu(k), dot(rise, u(first + k)));
    pressed = product(-outward, mean / real(NODES_PER_FACE));
}
