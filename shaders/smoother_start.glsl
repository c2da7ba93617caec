// The smoother's first step from zero: b' = D^-1 b, 0 where D is (fixed rows), and x = gain b'.
KERNEL(smoother_start)
    UNIFORM(real, gain)
    IN(single, diagonal)                // D
    IN(real, b)
    OUT(real, scaled)                   // b'
    OUT(real, x)
UPDATE(i)
{
    real d = real(diagonal(i));
    real quotient = d > real(0) ? b(i) / d : real(0);
    scaled_new = quotient;
    x_new = gain * quotient;
}
