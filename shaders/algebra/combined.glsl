// y = a s x + b t z, with the scalars s and t of the device.
KERNEL(combined)
    UNIFORM(real, a)
    UNIFORM(real, b)
    TABLE(real, s)
    TABLE(real, t)
    IN(real, x)
    IN(real, z)
VALUE(real, i)
{
    real of_x = a * s(0u);
    real of_z = b * t(0u);
    precise real sum = of_x * x(i) + of_z * z(i);
    return sum;
}
