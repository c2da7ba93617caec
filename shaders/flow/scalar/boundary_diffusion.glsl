// What diffuses into the domain through a boundary face with a given value, for a list of them: the
// normal derivative of the parabola of boundary_transport.   cells, nodes and list -> list
KERNEL(boundary_diffusion)
    // the normal as an orientation: reversed where it points inwards
    IN(uint, face, 1)
    IN(uint, cell, 1)               // the cell inside
    IN(uint, node, NODES_PER_CELL)  // its nodes
    IN(real, weight, NODES_PER_CELL)
    IN(real, conduction)   // nu c A / d_n
    IN(real, diffusivity)  // nu
    GATHER(real, u, cells, closure)
    GATHER(real, t, nodes, closure)
    IN(real, given)
VALUE(real, k)
{
    real first = t(node(k, 0u));
    precise real sum = real(0);
    for (uint j = 1u; j < NODES_PER_CELL; ++j) sum += weight(k, j) * (t(node(k, j)) - first);
    return conduction(k) * (given(k) - u(cell(k, 0u))) -
           orientation_of(face(k, 0u)) * diffusivity(k) * sum;
}
