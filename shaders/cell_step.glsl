// A cell's velocity after a step with what its faces bring in: u + dt n / V.
KERNEL(cell_step)
    UNIFORM(real, dt)
    IN(real, volume)
    IN(vec, u)
    IN(vec, n)
VALUE(vec, c)
{
    precise vec sum = u(c) + (dt / volume(c)) * n(c);
    return sum;
}
