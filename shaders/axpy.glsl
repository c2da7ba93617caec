// y = y + a x.
KERNEL(axpy)
    UNIFORM(real, a)
    IN(real, x)
    INOUT(real, y)
UPDATE(i)
{
    precise real sum = y(i) + a * x(i);
    y_new = sum;
}
