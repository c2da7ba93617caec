// The largest magnitude of x / V.
KERNEL(largest_rate)
    IN(real, x)
    IN(real, size)                      // V
    REDUCE(max, largest)
UPDATE(c)
{
    largest = abs(x(c)) / size(c);
}
