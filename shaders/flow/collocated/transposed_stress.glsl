// Adds to what faces carry along their normal the transposed part of the viscous stress, less what
// has no part in it where div u = 0,
//   -nu ((grad u)^T A - A div u) = -nu [sum_j T_j (A . b_j) - A sum_j T_j . b_j],
//   b_j = t_j - t_0:
// derivatives along the face alone, the sum of which over a cell is 0 where nu is the same on its
// faces.   nodes (vector), faces -> faces (vector)
KERNEL(transposed_stress)
    IN(uint, node, NODES_PER_FACE)
    IN(vec, area)  // A, along the normal
    // T_j: the gradient along the face of node j's linear function
    IN(vec, tangent, TANGENTS_PER_FACE)
    IN(real, nu)
    GATHER(vec, t, nodes, closure)
    INOUT(vec, transport)
UPDATE(f)
{
    vec first = t(node(f, 0u));
    precise vec sum = vec(0);
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j) {
        vec b = t(node(f, j + 1u)) - first;
        sum += dot(area(f), b) * tangent(f, j) - dot(tangent(f, j), b) * area(f);
    }
    transport_new = transport(f) - nu(f) * sum;
}
