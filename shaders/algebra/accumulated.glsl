// y = b t y + a s x, with the scalars s and t of the device.
KERNEL(accumulated)
    UNIFORM(real, a)
    UNIFORM(real, b)
    TABLE(real, s)
    TABLE(real, t)
    IN(real, x)
    INOUT(real, y)
UPDATE(i)
{
    real of_x = a * s(0u);
    real of_y = b * t(0u);
    precise real sum = of_y * y(i) + of_x * x(i);
    y_new = sum;
}
