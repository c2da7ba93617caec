// A vector in the order of batches, in its own order.
KERNEL(from_batches)
    IN(uint, place)
    TABLE(real, sorted)
VALUE(real, i)
{
    return sorted(place(i));
}
