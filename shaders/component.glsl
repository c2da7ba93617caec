// One component of a vector field, chosen by a unit vector as in set_component.
KERNEL(component)
    UNIFORM(uint, k)
    IN(vec, unit)
    IN(vec, v)
VALUE(real, i)
{
    return dot(v(i), unit(k));
}
