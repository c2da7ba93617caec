// A value without a part of what the faces carried: u + (net outflow of that part) / V.   faces ->
// cells
KERNEL(restored_flux)
    IN(uint, face, FACES_PER_CELL)  // oriented
    IN(real, size)                  // V
    GATHER(real, cut, faces, closure)
    IN(real, u)
VALUE(real, c)
{
    precise real sum = real(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j)
        sum += orientation_of(face(c, j)) * cut(entity_of(face(c, j)));
    precise real value = u(c) + sum / size(c);
    return value;
}
