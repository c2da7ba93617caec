// A cell's vector from its faces' fluxes: v = sum of +-U_f r_f.   faces -> cells (vector)
KERNEL(reconstruction)
    IN(uint, face, FACES_PER_CELL)  // oriented
    IN(vec, r, FACES_PER_CELL)
    GATHER(real, flux, faces, closure)
VALUE(vec, c)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = face(c, j);
        sum += (orientation_of(f) * flux(entity_of(f))) * r(c, j);
    }
    return sum;
}
