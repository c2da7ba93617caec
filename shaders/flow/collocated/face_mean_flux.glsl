// Flux of a cell field through a face, linear along the line of centres.   cells (vector) -> faces
KERNEL(face_mean_flux)
    IN(uint, cell, 2)
    IN(real, theta)
    IN(vec, area)
    GATHER(vec, q, cells, halo)
VALUE(real, f)
{
    precise vec value = (real(1) - theta(f)) * q(cell(f, 0u)) + theta(f) * q(cell(f, 1u));
    return dot(area(f), value);
}
