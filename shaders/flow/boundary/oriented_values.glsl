// The values of listed entities along their orientations.
KERNEL(oriented_values)
    IN(uint, entity, 1)  // oriented
    GATHER(real, x, faces, closure)
VALUE(real, k)
{
    uint e = entity(k, 0u);
    return orientation_of(e) * x(entity_of(e));
}
