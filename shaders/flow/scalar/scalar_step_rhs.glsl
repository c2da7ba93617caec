// Right-hand side of an implicit step of a scalar: rate (V u - D carried + u D volume + gained +
// left) + wall. `volume` is what flows through the faces in the step: with u times its net outflow
// a constant stays constant where that is not zero. cells and faces -> cells
KERNEL(scalar_step_rhs)
    UNIFORM(real, rate)
    IN(uint, face, FACES_PER_CELL)  // oriented
    IN(real, size)                  // V
    IN(real, u)
    GATHER(real, carried, faces, closure)
    GATHER(real, volume, faces, closure)
    IN(real, gained)
    IN(real, left)  // by the last solve
    IN(real, wall)  // what walls diffuse into the cell
VALUE(real, c)
{
    precise real sum = size(c) * u(c);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = face(c, j);
        sum -= orientation_of(f) * (carried(entity_of(f)) - volume(entity_of(f)) * u(c));
    }
    precise real whole = rate * (sum + gained(c) + left(c)) + wall(c);
    return whole;
}
