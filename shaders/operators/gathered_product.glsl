// An entity's factor times a value gathered from another.   numbers -> numbers
KERNEL(gathered_product)
    IN(uint, from, 1)
    IN(real, factor)
    GATHER(real, q, entities, halo)
VALUE(real, i)
{
    return factor(i) * q(from(i, 0u));
}
