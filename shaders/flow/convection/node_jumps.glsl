// The transposed of how a face's value depends on node values (the mean of its nodes, less half of both cells' means),
// applied to the faces' jumps e_f = U_f (u_a - u_b): of each cell round the node 1/(2 d) of its faces' jumps there, less
// 1/(2 (d + 1)) of all its jumps. A face at the node has two cells there, which see the same jump: one of them adds it for both. (The jump of
// the face opposite to the node may be that of a cell which this rank does not hold.)   faces, cells (vector) -> nodes (vector)
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
        uint place = corner(i, k) % 4u;
        precise vec here = vec(0);
        for (uint j = 0u; j < FACES_PER_CELL; ++j) {
            uint other = neighbour(c, j);
            if (j == place || other <= c) continue;
            here += (orientation_of(face(c, j)) * flux(entity_of(face(c, j)))) * (u(c) - u(other));
        }
        sum += here * (real(2) / real(DIMENSION)) - jumps(c) / real(NODES_PER_CELL);
    }
    return sum / real(2);
}
