// smoother_start of a smoother in single precision for a right-hand side in double: x = gain D^-1 b, and b as it is rounded.
KERNEL(rounded_start)
    UNIFORM(real, gain)
    IN(single, diagonal)                // D, 0 on fixed rows
    IN(real, b)
    OUT(single, rounded)
    OUT(single, x)
UPDATE(i)
{
    rounded_new = single(b(i));
    x_new = single(gain * quotient(b(i), real(diagonal(i))));
}
