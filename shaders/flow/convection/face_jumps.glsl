// Over a cell's faces inside the sum of U_f (u_c - u_nb), U outward: the same seen from either side of a face;
// less 4 times its roughness, of which node_jumps and transposed_jumps take a quarter of 1/(d + 1) to each node.
// faces, cells (vector) -> cells (vector)
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
    return sum - real(4) * rough(c);
}
