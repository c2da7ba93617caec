// y = a x + b y.
KERNEL(axpby)
    UNIFORM(real, a)
    UNIFORM(real, b)
    IN(real, x)
    INOUT(real, y)
UPDATE(i)
{
    precise real sum = a * x(i) + b * y(i);
    y_new = sum;
}
