// The sum of x.
KERNEL(sum)
    IN(real, x)
    REDUCE(sum, total)
UPDATE(i)
{
    total = wide(x(i));
}
