// The shear rate on boundary faces [1/s], for a list of them: the formula of face_shear_rate with
// the normal derivative of boundary_transport. cells and nodes (vector) -> list
KERNEL(boundary_shear_rate)
    UNIFORM(uint, first)            // the velocity at the list's k-th face is u(first + k)
    IN(uint, cell, 1)               // inside
    IN(uint, node, NODES_PER_CELL)  // of that cell
    IN(uint, face_node, NODES_PER_FACE)
    IN(real, weight, NODES_PER_CELL)  // of boundary_transport, outward
    IN(real, conduction)              // of the face's value and the cell's
    IN(vec, area)                     // outward
    IN(vec, tangent, TANGENTS_PER_FACE)
    GATHER(vec, u, cells, closure)
    GATHER(vec, t, nodes, closure)
VALUE(real, k)
{
    vec origin = t(node(k, 0u));
    precise vec rise = conduction(k) * (u(first + k) - u(cell(k, 0u)));
    for (uint j = 1u; j < NODES_PER_CELL; ++j) rise -= weight(k, j) * (t(node(k, j)) - origin);
    vec start = t(face_node(k, 0u));
    real size = dot(area(k), area(k));
    real along = dot(area(k), rise) / size;
    precise real square = dot(rise, rise) / size + along * along;
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j) {
        vec b = t(face_node(k, j + 1u)) - start;
        square += real(2) * dot(area(k), b) * dot(tangent(k, j), rise) / size;
        for (uint l = 0u; l < TANGENTS_PER_FACE; ++l) {
            vec c = t(face_node(k, l + 1u)) - start;
            square += dot(tangent(k, j), tangent(k, l)) * dot(b, c) +
                      dot(tangent(k, j), c) * dot(b, tangent(k, l));
        }
    }
    return sqrt(max(square, real(0)));
}
