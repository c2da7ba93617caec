// Divergence: (D U)_c = sum over the faces of c of +-U_f, outward positive; summed wide.   faces ->
// cells
KERNEL(divergence)
    IN(uint, face, FACES_PER_CELL)      // oriented: + where the normal leaves the cell
    GATHER(real, flux, faces, closure)  // U_f, area included
VALUE(real, c)
{
    accumulator sum = wide(real(0));
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = face(c, j);
        sum = add(sum, wide(orientation_of(f) * flux(entity_of(f))));
    }
    return narrow(sum);
}
