// A stage of the greatest number that stays on the device: of sign x at the entries k, k + stride,
// ... below count, or of their magnitudes; what is no number wins.   vector -> parts
KERNEL(partial_greatest)
    UNIFORM(uint, count)
    UNIFORM(uint, stride)
    UNIFORM(uint, of_magnitudes)
    UNIFORM(real, sign)
    TABLE(real, x)
VALUE(real, k)
{
    real most = of_magnitudes == 1u ? abs(x(k)) : sign * x(k);
    for (uint e = k + stride; e < count; e += stride) {
        real one = of_magnitudes == 1u ? abs(x(e)) : sign * x(e);
        // neither above nor not: one of them is no number, and their sum is none
        most = one > most ? one : one <= most ? most : one + most;
    }
    return most;
}
