// The velocity after a step with the mean of two velocities turned by the vorticity: u - dt (w x (u
// + v) / 2 + nu curl w).
KERNEL(rotational_step)
    UNIFORM(real, dt)
    UNIFORM(real, nu)
    IN(vec, u)
    IN(vec, v)
    IN(vec, vorticity)
    IN(vec, curl)  // of the vorticity [1/(m s)]
VALUE(vec, c)
{
    vec middle = (u(c) + v(c)) / real(2);
    precise vec sum = u(c) - dt * (turned(vorticity(c), middle) + nu * curl(c));
    return sum;
}
