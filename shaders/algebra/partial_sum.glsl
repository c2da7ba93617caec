// A stage of a sum that stays on the device: of the entries k, k + stride, ... below count, or of
// their magnitudes.   vector -> parts
KERNEL(partial_sum)
    UNIFORM(uint, count)
    UNIFORM(uint, stride)
    UNIFORM(uint, of_magnitudes)
    TABLE(real, x)
VALUE(real, k)
{
    accumulator total = wide(real(0));
    for (uint e = k; e < count; e += stride)
        total = add(total, wide(of_magnitudes == 1u ? abs(x(e)) : x(e)));
    return narrow(total);
}
