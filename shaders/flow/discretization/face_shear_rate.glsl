// The shear rate sqrt(2 S : S) on faces between two values, S the symmetric part of the gradient by
// the diamond scheme,
//   grad u = A g / |A|^2 + sum_j T_j (t_j - t_0),
//   g = A n . grad u = conduction (u_b - u_a) - sum_j cross_j (t_j - t_0)
// cells and nodes (vector) -> faces
KERNEL(face_shear_rate)
    IN(uint, cell, 2)
    IN(uint, node, NODES_PER_FACE)
    IN(real, cross, TANGENTS_PER_FACE)
    IN(real, conduction)
    IN(vec, area)  // A, along the normal
    // T_j: the gradient along the face of node j's linear function
    IN(vec, tangent, TANGENTS_PER_FACE)
    GATHER(vec, u, cells, halo)
    GATHER(vec, t, nodes, closure)
VALUE(real, f)
{
    vec first = t(node(f, 0u));
    precise vec rise = conduction(f) * (u(cell(f, 1u)) - u(cell(f, 0u)));
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j)
        rise -= cross(f, j) * (t(node(f, j + 1u)) - first);
    real size = dot(area(f), area(f));
    real along = dot(area(f), rise) / size;
    precise real square = dot(rise, rise) / size + along * along;
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j) {
        vec b = t(node(f, j + 1u)) - first;
        square += real(2) * dot(area(f), b) * dot(tangent(f, j), rise) / size;
        for (uint l = 0u; l < TANGENTS_PER_FACE; ++l) {
            vec c = t(node(f, l + 1u)) - first;
            square += dot(tangent(f, j), tangent(f, l)) * dot(b, c) +
                      dot(tangent(f, j), c) * dot(b, tangent(f, l));
        }
    }
    return sqrt(max(square, real(0)));
}
