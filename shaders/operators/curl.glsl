// Curl: (C s)_f = sum of +-s round the face, s at nodes in 2D, on edges in 3D; summed wide, so D C
// s is round-off. codim-2 entities -> faces
KERNEL(curl)
    IN(uint, codim2, CODIM2_PER_FACE)  // oriented
    GATHER(real, s, codim2, closure)
VALUE(real, f)
{
    accumulator sum = wide(real(0));
    for (uint j = 0u; j < CODIM2_PER_FACE; ++j) {
        uint e = codim2(f, j);
        sum = add(sum, wide(orientation_of(e) * s(entity_of(e))));
    }
    return narrow(sum);
}
