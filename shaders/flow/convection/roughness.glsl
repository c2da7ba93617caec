// What the jump penalty takes into account of a cell: over its faces inside the sum of penalty
// |U_f| (v_c - v_nb), v = S D u, D by how much a value exceeds the mean of its cell's node values,
// S what of that changes from cell to cell (docs/numerics.md, "The jump penalty"). faces, cells
// (vector) -> cells (vector)
KERNEL(roughness)
    UNIFORM(real, penalty)
    IN(uint, face, FACES_PER_CELL)       // oriented
    IN(uint, neighbour, FACES_PER_CELL)  // the cell itself where there is none
    GATHER(real, flux, faces, closure)
    GATHER(vec, sharp, cells, halo)  // S D u
VALUE(vec, c)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j)
        sum += abs(flux(entity_of(face(c, j)))) * (sharp(c) - sharp(neighbour(c, j)));
    return penalty * sum;
}
