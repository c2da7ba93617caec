// Least and greatest value of x.
KERNEL(extrema)
    IN(real, x)
    REDUCE(min, least)
    REDUCE(max, greatest)
UPDATE(i)
{
    least = x(i);
    greatest = x(i);
}
