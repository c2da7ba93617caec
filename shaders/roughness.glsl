// What the jump penalty takes into account of a cell: over its faces inside the sum of penalty |U_f| (D_c - D_nb), D by how much a value
// exceeds the mean of its cell's node values. The nodes' interpolant is continuous, so that D_c - D_nb is the jump of the two cells'
// linear reconstructions at the face's centroid.   faces, cells (vector) -> cells (vector)
KERNEL(roughness)
    UNIFORM(real, penalty)
    IN(uint, face, FACES_PER_CELL)      // oriented
    IN(uint, neighbour, FACES_PER_CELL) // the cell itself where there is none
    IN(real, flux)
    IN(vec, defect)                     // D
VALUE(vec, c)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j)
        sum += abs(flux(entity_of(face(c, j)))) * (defect(c) - defect(neighbour(c, j)));
    return penalty * sum;
}
