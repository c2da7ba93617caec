// Over a cell's faces the sum of their jumps and of -4 cov(w, u) outward, half of it at the
// boundary (cov as in skew_face_transport), less 4 times its roughness. node_jumps and
// transposed_jumps take a quarter of 1/(d + 1) of all that to each node.   faces, nodes, cells
// (vector) -> cells (vector)
KERNEL(face_jumps)
    IN(uint, face, FACES_PER_CELL)  // oriented
    IN(uint, node, NODES_PER_FACE)
    IN(uint, neighbour, FACES_PER_CELL)     // the cell itself where there is none
    GATHER(vec, jump, faces, closure)       // of flux_jump
    GATHER(vec, variation, faces, closure)  // w, of flux_variation
    GATHER(vec, t, nodes, closure)
    IN(vec, rough)  // of roughness
VALUE(vec, c)
{
    precise vec sum = vec(0);
    precise vec carried = vec(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = entity_of(face(c, j));
        sum += jump(f);
        vec first = t(node(f, 0u));
        precise vec covariance = vec(0);
        for (uint i = 0u; i < TANGENTS_PER_FACE; ++i)
            covariance += component_of(variation(f), i + 1u) * (t(node(f, i + 1u)) - first);
        carried +=
            (orientation_of(face(c, j)) * (neighbour(c, j) == c ? real(1) / real(2) : real(1))) *
            covariance;
    }
    return sum - (real(4) / real(DIMENSION * (DIMENSION + 1))) * carried - real(4) * rough(c);
}
