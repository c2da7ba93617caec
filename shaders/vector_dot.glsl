// sum of w x . y of two vector fields.
KERNEL(vector_dot)
    IN(real, w)
    IN(vec, x)
    IN(vec, y)
    REDUCE(sum, wxy)
UPDATE(i)
{
    wxy = product(w(i), dot(x(i), y(i)));
}
