// Adds buoyancy to a body force (Boussinesq 1903): b = b + (T - T_0) a, a the acceleration a unit of T.
KERNEL(buoyancy)
    UNIFORM(real, reference)            // T_0
    IN(real, temperature)
    IN(vec, acceleration)               // one
    INOUT(vec, b)
UPDATE(c)
{
    b_new = b(c) + (temperature(c) - reference) * acceleration(0u);
}
