// y = a s x, with the scalar s of the device.
KERNEL(scaled)
    UNIFORM(real, a)
    TABLE(real, s)
    IN(real, x)
VALUE(real, i)
{
    return a * s(0u) * x(i);
}
