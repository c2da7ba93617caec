// The transposed of how a face's value depends on node values (the mean of its nodes, less half of
// both cells' means), applied to the faces' jumps: 1/d of each face at the node, less 1/(2 (d + 1))
// of all jumps of each cell round it; less twice what covariance_work has at the node. faces, cells
// and rows (vector) -> nodes (vector)
KERNEL(node_jumps)
    ROWS(faces)
    ROWS(cells)
    IN(uint, face, faces)
    IN(uint, cell, cells)
    IN(uint, corner, cells)          // the node's row of covariance_work in that cell
    GATHER(vec, jump, faces, halo)   // of flux_jump
    GATHER(vec, jumps, cells, halo)  // of face_jumps
    GATHER(vec, work, rows, halo)    // of covariance_work
VALUE(vec, i)
{
    precise vec of_faces = vec(0);
    precise vec of_cells = vec(0);
    precise vec of_corners = vec(0);
    ADD_ROW_OF(vec, of_faces, faces_count(i), j, jump(face(i, j)))
    ADD_ROW_OF(vec, of_cells, cells_count(i), k, jumps(cell(i, k)))
    ADD_ROW_OF(vec, of_corners, cells_count(i), l, work(corner(i, l)))
    return of_faces / real(DIMENSION) - of_cells / (real(2) * real(NODES_PER_CELL)) -
           real(2) * of_corners;
}
