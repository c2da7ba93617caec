// Over a cell's faces the sum of their jumps, less 4 times its roughness, of which node_jumps and transposed_jumps take a quarter of
// 1/(d + 1) to each node.   faces (vector), cells (vector) -> cells (vector)
KERNEL(face_jumps)
    IN(uint, face, FACES_PER_CELL)      // oriented
    IN(vec, jump)                       // of flux_jump
    IN(vec, rough)                      // of roughness
VALUE(vec, c)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j)
        sum += jump(entity_of(face(c, j)));
    return sum - real(4) * rough(c);
}
