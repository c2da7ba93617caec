// y = scale x, rounded to single precision.
KERNEL(rounded)
    UNIFORM(real, scale)
    IN(real, x)
    OUT(single, y)
UPDATE(i)
{
    y_new = single(scale * x(i));
}
