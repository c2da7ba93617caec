// sum of m (x - y).
KERNEL(stored_difference)
    IN(real, m)
    IN(real, x)
    IN(real, y)
    REDUCE(sum, total)
UPDATE(i)
{
    total = product(m(i), x(i) - y(i));
}
