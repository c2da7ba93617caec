// Largest |x|.
KERNEL(largest_magnitude)
    IN(real, x)
    REDUCE(max, largest)
UPDATE(i)
{
    largest = abs(x(i));
}
