// Flux of a cell field through a face: area . [(1 - theta) u_a + theta u_b + sum_j skew_j (t_j - t_0)].
// cells and nodes (vector) -> faces
KERNEL(face_interpolation)
    IN(uint, cell, 2)                   // a and b; a boundary face's own value among them
    IN(uint, node, NODES_PER_FACE)
    IN(real, theta)
    IN(real, skew, TANGENTS_PER_FACE)
    IN(vec, area)                       // normal times area
    IN(vec, u)
    IN(vec, t)                          // node values
VALUE(real, f)
{
    vec first = t(node(f, 0u));
    precise vec value = (real(1) - theta(f)) * u(cell(f, 0u)) + theta(f) * u(cell(f, 1u));
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j)
        value += skew(f, j) * (t(node(f, j + 1u)) - first);
    return dot(area(f), value);
}
