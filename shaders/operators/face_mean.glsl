// The mean over a cell's faces, exact where they are the same.   faces -> cells
KERNEL(face_mean)
    IN(uint, face, FACES_PER_CELL)  // oriented
    GATHER(real, q, faces, closure)
VALUE(real, c)
{
    real first = q(entity_of(face(c, 0u)));
    precise real sum = real(0);
    for (uint j = 1u; j < FACES_PER_CELL; ++j) sum += q(entity_of(face(c, j))) - first;
    return first + sum / real(FACES_PER_CELL);
}
