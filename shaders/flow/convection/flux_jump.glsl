// What a face's flux makes of the jump between its cells, e_f = U_f (u_a - u_b): the same seen from
// either of them. cells (vector), faces -> faces (vector)
KERNEL(flux_jump)
    // left by the normal, entered by it; one of them twice where the other is missing
    IN(uint, cell, 2)
    IN(real, flux)
    GATHER(vec, u, cells, halo)
VALUE(vec, f)
{
    return flux(f) * (u(cell(f, 0u)) - u(cell(f, 1u)));
}
