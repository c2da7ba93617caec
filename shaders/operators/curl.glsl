// Curl: (C s)_f = sum of +-s round the face, s at nodes in 2D, on edges in 3D; summed wide, so D C s is round-off.
// ridges -> faces
KERNEL(curl)
    IN(uint, ridge, RIDGES_PER_FACE)    // oriented
    IN(real, s)
VALUE(real, f)
{
    accumulator sum = wide(real(0));
    for (uint j = 0u; j < RIDGES_PER_FACE; ++j) {
        uint e = ridge(f, j);
        sum = add(sum, wide(orientation_of(e) * s(entity_of(e))));
    }
    return narrow(sum);
}
