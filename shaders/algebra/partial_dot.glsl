// The first stage of an inner product that stays on the device: of the entries k, k + stride, ...
// below count.   vectors -> parts
KERNEL(partial_dot)
    UNIFORM(uint, count)
    UNIFORM(uint, stride)
    TABLE(real, x)
    TABLE(real, y)
VALUE(real, k)
{
    accumulator total = wide(real(0));
    for (uint e = k; e < count; e += stride) total = add(total, product(x(e), y(e)));
    return narrow(total);
}
