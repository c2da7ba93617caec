// The smoother's first step from zero: x = gain D^-1 b.
KERNEL(chebyshev_start)
    UNIFORM(real, gain)
    IN(single, diagonal)  // D, 0 on fixed rows
    IN(quantity, b)
VALUE(quantity, i)
{
    return gain * quotient(b(i), real(diagonal(i)));
}
