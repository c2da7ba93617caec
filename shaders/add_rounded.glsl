// y = y + scale x, x in single precision.
KERNEL(add_rounded)
    UNIFORM(real, scale)
    IN(single, x)
    INOUT(real, y)
UPDATE(i)
{
    precise real sum = y(i) + scale * real(x(i));
    y_new = sum;
}
