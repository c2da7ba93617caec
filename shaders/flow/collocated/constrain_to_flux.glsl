// Keeps a cell's velocity within reach of what its faces' fluxes interpolate to, v: no further from
// it than twice the fastest of these fluxes. Of v itself no more counts than four times the
// fastest: in a cell that is nearly flat it is what rounding leaves over a tiny height. Fluxes
// slower than `least` [m/s] count as that. In thin cells, whose fluxes along a curved wall fit no
// constant velocity, v counts by `part`, and with part 0 u may have six times the fastest. Counts
// the cells that were beyond.   faces, cells (vector) -> cells (vector)
KERNEL(constrain_to_flux)
    IN(uint, face, FACES_PER_CELL)  // oriented
    TABLE(real, size)               // A of a face
    GATHER(real, flux, faces, closure)
    IN(real, least)  // of the cell
    IN(real, part)   // 1, in thin cells less
    IN(vec, v)
    INOUT(vec, u)
    REDUCE(sum, held)
UPDATE(c)
{
    real fastest = least(c);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = entity_of(face(c, j));
        fastest = max(fastest, abs(flux(f)) / size(f));
    }
    vec to = v(c);
    real speed = dot(to, to);
    if (speed > real(16) * fastest * fastest) to = (real(4) * fastest / sqrt(speed)) * to;
    to = part(c) * to;
    real reach = real(6) - real(4) * part(c);
    precise vec apart = u(c) - to;
    real square = dot(apart, apart);
    vec kept = u(c);
    real beyond = real(0);
    if (square > reach * reach * fastest * fastest) {
        kept = to + (reach * fastest / sqrt(square)) * apart;
        beyond = real(1);
    }
    u_new = kept;
    held = wide(beyond);
}
