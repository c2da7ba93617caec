// Rotation: (R q)_e = sum over the faces that e bounds of +-q_f; R = C^T.   faces -> codim-2
// entities (nodes in 2D, edges in 3D)
KERNEL(rotation)
    ROWS(faces)
    IN(uint, face, faces)  // oriented
    GATHER(real, q, faces, halo)
VALUE(real, e)
{
    accumulator sum = wide(real(0));
    for (uint j = 0u; j < faces_count(e); ++j) {
        uint f = face(e, j);
        sum = add(sum, wide(orientation_of(f) * q(entity_of(f))));
    }
    return narrow(sum);
}
