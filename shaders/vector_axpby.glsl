// y = a x + b y for vector fields.
KERNEL(vector_axpby)
    UNIFORM(real, a)
    UNIFORM(real, b)
    IN(vec, x)
    INOUT(vec, y)
UPDATE(i)
{
    precise vec sum = a * x(i) + b * y(i);
    y_new = sum;
}
