// Of two fluxes the sum of squares and the largest magnitude.
KERNEL(flux_size)
    IN(real, x)
    IN(real, y)
    REDUCE(sum, square)
    REDUCE(max, largest)
UPDATE(f)
{
    square = add(product(x(f), x(f)), product(y(f), y(f)));
    largest = max(abs(x(f)), abs(y(f)));
}
