// What the CPU takes eight entities at a time of: numbers of both types in and out, a quotient,
// sums.
KERNEL(probe_elementwise)
    UNIFORM(real, a)
    IN(real, x)
    IN(single, d)
    INOUT(real, y)
    OUT(single, z)
    REDUCE(sum, total)
    REDUCE(sum, yd)
UPDATE(i)
{
    real scaled = quotient(x(i), real(d(i))) / (real(3) + a);  // 0 where d is
    precise real next = y(i) - a * scaled;
    y_new = next;
    z_new = single(next) * d(i);
    total = wide(next);
    yd = product(next, real(d(i)));
}
