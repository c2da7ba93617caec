// Twice the kinetic energy: sum of V u . u.
KERNEL(kinetic_energy)
    IN(real, volume)
    IN(vec, u)
    REDUCE(sum, twice)
UPDATE(c)
{
    twice = product(volume(c), dot(u(c), u(c)));
}
