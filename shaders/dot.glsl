// x . y, accumulated in double.
KERNEL(dot)
    IN(real, x)
    IN(real, y)
    REDUCE(sum, xy)
UPDATE(i)
{
    xy = product(x(i), y(i));
}
