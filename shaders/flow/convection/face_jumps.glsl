// What a cell brings to node_jumps at each of its nodes, but for the face opposite to it: with s the sum over the cell's faces inside of
// U_f (u_c - u_nb), U outward, of which either side sees the same, s / d - (s - 4 r) / (d + 1), where r is the cell's roughness: node_jumps and
// transposed_jumps take a quarter of 1/(d + 1) of it to each node.   faces, cells (vector) -> cells (vector)
KERNEL(face_jumps)
    IN(uint, face, FACES_PER_CELL)      // oriented
    IN(uint, neighbour, FACES_PER_CELL) // the cell itself where there is none
    IN(real, flux)
    IN(vec, u)
    IN(vec, rough)                      // of roughness
VALUE(vec, c)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j)
        sum += (orientation_of(face(c, j)) * flux(entity_of(face(c, j)))) * (u(c) - u(neighbour(c, j)));
    return sum / real(DIMENSION * (DIMENSION + 1)) + rough(c) * (real(4) / real(NODES_PER_CELL));
}
