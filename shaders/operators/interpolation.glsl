// Interpolation: u_c = 1/V_c sum over the faces of c of +-U_f (x_f - x_c).   faces -> cells
// (vector)
KERNEL(interpolation)
    IN(uint, face, FACES_PER_CELL)      // oriented
    IN(vec, offset, FACES_PER_CELL)     // x_f - x_c [m]
    IN(real, volume)                    // V_c
    GATHER(real, flux, faces, closure)  // U_f, area included
VALUE(vec, c)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = face(c, j);
        sum += (orientation_of(f) * flux(entity_of(f))) * offset(c, j);
    }
    return sum / volume(c);
}
