// Transport through boundary faces, for a list of them: U u_b less the explicit part of diffusion,
// along the face's normal. The normal derivative belongs to the parabola through the value at the
// face, the cell's value and the cell's gradient: c (u_b - u_c - g_c . r_t) / d_n - (c - 1) g_c .
// n; of it the terms of g_c are given here, as weights of the cell's nodes. faces, list and nodes
// (vector or number) -> list (vector or number)
KERNEL(boundary_transport)
    IN(uint, face, 1)
    IN(uint, node, NODES_PER_CELL)      // of the cell inside
    IN(real, weight, NODES_PER_CELL)    // [m], in 2D dimensionless; sum 0
    IN(real, nu)                        // of the list
    GATHER(real, flux, faces, closure)  // U_f of all faces
    IN(quantity, given)                 // u_b
    GATHER(quantity, t, nodes, closure)
VALUE(quantity, k)
{
    quantity first = t(node(k, 0u));
    precise quantity sum = flux(face(k, 0u)) * given(k);
    for (uint j = 1u; j < NODES_PER_CELL; ++j)
        sum += (nu(k) * weight(k, j)) * (t(node(k, j)) - first);
    return sum;
}
