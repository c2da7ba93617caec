// x . y and x . x of fields of any width.
KERNEL(bicgstab_products)
    IN(quantity, x)
    IN(quantity, y)
    REDUCE(sum, xy)
    REDUCE(sum, xx)
UPDATE(i)
{
    xy = product(real(1), dot(x(i), y(i)));
    xx = product(real(1), dot(x(i), x(i)));
}
