// Flux of a cell field through a face: area . [(1 - part / 2) i + part / 2 r], i = (1 - theta) u_a
// + theta u_b + sum_j skew_j (t_j - t_0) between the two cells, r the mean of both cells' linear
// reconstructions at the face's centroid, those of face_transport: what curvature makes of i it
// makes of r with the other sign. At the boundary i alone. cells and nodes (vector) -> faces
KERNEL(face_interpolation)
    UNIFORM(uint, cells)  // beyond them are boundary faces' values
    IN(uint, cell, 2)     // a and b; a boundary face's own value among them
    IN(uint, node, NODES_PER_FACE)
    IN(real, theta)
    IN(real, skew, TANGENTS_PER_FACE)
    IN(real, part)  // 1, in thin cells less
    IN(vec, area)   // normal times area
    GATHER(vec, u, cells, halo)
    GATHER(vec, defect, cells, halo)  // of cell_defect
    GATHER(vec, t, nodes, closure)    // node values
VALUE(real, f)
{
    uint a = cell(f, 0u);
    uint b = cell(f, 1u);
    vec first = t(node(f, 0u));
    precise vec value = (real(1) - theta(f)) * u(a) + theta(f) * u(b);
    precise vec rise = vec(0);
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j) {
        vec over = t(node(f, j + 1u)) - first;
        value += skew(f, j) * over;
        rise += over;
    }
    if (a < cells && b < cells)
        value = ((real(2) - part(f)) * value + part(f) * (first + rise / real(NODES_PER_FACE) +
                                                          (defect(a) + defect(b)) / real(2))) /
                real(2);
    return dot(area(f), value);
}
