// Keeps a cell's velocity within reach of what its faces' fluxes interpolate to, v: no further from it than twice the fastest of
// these fluxes. Counts the cells that were beyond.   faces, cells (vector) -> cells (vector)
KERNEL(hold_to_flux)
    IN(uint, face, FACES_PER_CELL)      // oriented
    IN(real, size)                      // A of a face
    IN(real, flux)
    IN(vec, v)
    INOUT(vec, u)
    REDUCE(sum, held)
UPDATE(c)
{
    real fastest = real(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = entity_of(face(c, j));
        fastest = max(fastest, abs(flux(f)) / size(f));
    }
    precise vec apart = u(c) - v(c);
    real square = dot(apart, apart);
    vec kept = u(c);
    real beyond = real(0);
    if (square > real(4) * fastest * fastest) {
        kept = v(c) + (real(2) * fastest / sqrt(square)) * apart;
        beyond = real(1);
    }
    u_new = kept;
    held = wide(beyond);
}
