// The smoother's first step from zero: x = scale D^-1 b.
KERNEL(smoother_start)
    UNIFORM(real, scale)
    IN(real, inverse_diagonal)
    IN(real, b)
VALUE(real, i)
{
    precise real x = scale * inverse_diagonal(i) * b(i);
    return x;
}
