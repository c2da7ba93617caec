// Right-hand side of momentum under buoyancy (Boussinesq 1903): b = b + V (T - T_0) a, a the acceleration a unit of T.
KERNEL(buoyancy)
    UNIFORM(real, reference)            // T_0
    IN(real, volume)
    IN(real, temperature)
    IN(vec, acceleration)               // one
    INOUT(vec, b)
UPDATE(c)
{
    b_new = b(c) + (volume(c) * (temperature(c) - reference)) * acceleration(0u);
}
