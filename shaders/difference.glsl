// z = a (x - y).
KERNEL(difference)
    UNIFORM(real, a)
    IN(real, x)
    IN(real, y)
VALUE(real, i)
{
    precise real sum = a * (x(i) - y(i));
    return sum;
}
