// sum of w x y.
KERNEL(weighted_dot)
    IN(real, w)
    IN(real, x)
    IN(real, y)
    REDUCE(sum, wxy)
UPDATE(i)
{
    wxy = product(w(i) * x(i), y(i));
}
