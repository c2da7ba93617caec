// Adds to the pressure gradient of cells at inflows, for a list of them, what the fit to the faces
// round the cell leaves out of the gradient G on the inflow's own faces (wall_gradient): G is known
// there by how fast the given flux changes. In steady flow it is 0.
//   cells (vector), faces -> list (vector)
KERNEL(inflow_gradient)
    UNIFORM(real, most)
    UNIFORM(real, inertial)  // 1: the fit's part falls with the cell's Reynolds number
    IN(uint, cell, 1)
    IN(uint, face, FACES_PER_CELL)    // oriented
    IN(vec, r, FACES_PER_CELL)        // (x_f - x_c) / V, zero but on the inflow
    IN(real, h)                       // [m]
    IN(real, part)                    // of the fit in any case
    GATHER(real, nu, cells, closure)  // of cells
    TABLE(real, size)                 // A of a face
    GATHER(real, flux, faces, closure)
    GATHER(real, gradient, faces, closure)  // A dp/dn
    GATHER(vec, q, cells, closure)
VALUE(vec, k)
{
    precise vec sum = vec(0);
    real fastest = real(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = face(k, j);
        sum += (orientation_of(f) * gradient(entity_of(f))) * r(k, j);
        fastest = max(fastest, abs(flux(entity_of(f))) / size(entity_of(f)));
    }
    real inertia = inertial * fastest * h(k);
    real viscous = most * nu(cell(k, 0u));
    real kept = inertia > viscous ? viscous / inertia : real(1);
    return q(cell(k, 0u)) + (real(1) - kept * part(k)) * sum;
}
