// y = constant.
KERNEL(fill)
    UNIFORM(real, constant)
    OUT(real, y)
UPDATE(i)
{
    y_new = constant;
}
