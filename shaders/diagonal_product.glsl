// y = D x, D a diagonal that differs by component.
KERNEL(diagonal_product)
    IN(vec, diagonal)
    IN(vec, x)
VALUE(vec, i)
{
    return diagonal(i) * x(i);
}
