// The transposed of how a face's value depends on node values (the mean of its nodes, less half of both cells' means),
// applied to the faces' jumps e_f = U_f (u_a - u_b): of each cell round the node 1/(2 d) of its faces' jumps there, which are
// all but the opposite face's, less 1/(2 (d + 1)) of all its jumps.   faces, cells (vector) -> nodes (vector)
KERNEL(node_jumps)
    ROWS(cells)
    IN(uint, corner, cells)             // 4 c + the node's place in the cell
    IN(uint, face, FACES_PER_CELL)      // oriented; face j lies opposite node j
    IN(uint, neighbour, FACES_PER_CELL)
    IN(real, flux)
    IN(vec, u)
    IN(vec, jumps)                      // of face_jumps
VALUE(vec, i)
{
    precise vec sum = vec(0);
    for (uint k = 0u; k < cells_count(i); ++k) {
        uint c = corner(i, k) / 4u;
        uint opposite = corner(i, k) % 4u;
        uint f = face(c, opposite);
        sum += jumps(c) - (orientation_of(f) * flux(entity_of(f))) * (u(c) - u(neighbour(c, opposite))) / real(DIMENSION);
    }
    return sum / real(2);
}
