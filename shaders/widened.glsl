// y = x, from single precision.
KERNEL(widened)
    IN(single, x)
VALUE(real, i)
{
    return real(x(i));
}
