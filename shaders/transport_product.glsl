// Implicit transport of cell vectors: y = D x - n, D a diagonal that differs by component, n what is carried into the cells of x.
KERNEL(transport_product)
    IN(vec, diagonal)
    IN(vec, x)
    IN(vec, n)
VALUE(vec, c)
{
    precise vec sum = diagonal(c) * x(c) - n(c);
    return sum;
}
