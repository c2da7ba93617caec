// The pressure gradient of cells at walls, for a list of them: the reconstruction q, and as far as
// their Reynolds number |U| h / (A nu) exceeds `most` the interpolation of the faces inside, which
// trades no energy.   cells (vector), faces -> list (vector)
KERNEL(wall_gradient)
    UNIFORM(real, most)
    IN(uint, cell, 1)
    IN(uint, face, FACES_PER_CELL)    // oriented
    IN(vec, r, FACES_PER_CELL)        // (x_f - x_c) / V, zero on the boundary
    IN(real, h)                       // [m]
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
    real inertia = fastest * h(k);
    real viscous = most * nu(cell(k, 0u));
    real part = inertia > viscous ? viscous / inertia : real(1);
    return sum + part * (q(cell(k, 0u)) - sum);
}
