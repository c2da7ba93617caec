// The velocity that the flow carries through boundary faces whose velocity it decides itself, for a list of them: the value
// at the face, but half the cell's where it enters through an open face, so that it brings no energy in (Braack & Mucha
// 2014).   faces, list and cells (vector) -> list (vector)
KERNEL(carried_out)
    IN(uint, face, 1)
    IN(uint, cell, 1)                   // inside
    IN(real, open)                      // +1 or -1 as the face's normal leaves or enters, 0 where the face is not open
    IN(real, flux)                      // U_f of all faces
    IN(vec, at_face)
    IN(vec, u)
VALUE(vec, k)
{
    if (open(k) * flux(face(k, 0u)) < real(0)) return u(cell(k, 0u)) / real(2);
    return at_face(k);
}
