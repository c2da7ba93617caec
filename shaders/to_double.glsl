// y = x, x in single precision.
KERNEL(to_double)
    IN(single, x)
    OUT(real, y)
UPDATE(i)
{
    y_new = real(x(i));
}
