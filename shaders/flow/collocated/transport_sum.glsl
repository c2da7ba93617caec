// What the faces of a cell bring in: -sum of +-T_f, T_f carried along the face's normal.   faces
// (vector or number) -> cells
KERNEL(transport_sum)
    IN(uint, face, FACES_PER_CELL)  // oriented
    GATHER(quantity, transport, faces, closure)
VALUE(quantity, c)
{
    precise quantity sum = quantity(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = face(c, j);
        sum -= orientation_of(f) * transport(entity_of(f));
    }
    return sum;
}
