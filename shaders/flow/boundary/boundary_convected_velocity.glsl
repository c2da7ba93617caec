// The velocity that the flow carries through boundary faces whose velocity it decides itself, for a
// list of them: the value at the face, but where it enters through an open face a part of the
// cell's, or a velocity along the normal. faces and cells with faces behind them (vector) -> list
// (vector)
KERNEL(boundary_convected_velocity)
    IN(uint, face, 1)
    IN(uint, cell, 1)  // inside
    // +1 or -1 as the face's normal leaves or enters, 0 where the face is not open
    IN(real, open)
    GATHER(real, flux, faces, closure)  // U_f of all faces
    // 1/2 at an outflow, so that it brings no energy in (Braack & Mucha 2014)
    IN(real, part)
    IN(vec, entering)   // of U_f
    IN(uint, entry, 1)  // of the face's own value in u
    GATHER(vec, u, cells, closure)
VALUE(vec, k)
{
    if (open(k) * flux(face(k, 0u)) < real(0))
        return part(k) * u(cell(k, 0u)) + flux(face(k, 0u)) * entering(k);
    return u(entry(k, 0u));
}
