// Sets one component of a vector field. The component is chosen by a unit vector: an index that is no constant does not
// link on every driver.
KERNEL(set_component)
    UNIFORM(uint, k)
    IN(vec, unit)                       // row k is the k-th unit vector
    IN(real, x)
    INOUT(vec, v)
UPDATE(i)
{
    vec e = unit(k);
    precise vec others = v(i) - dot(v(i), e) * e;
    v_new = others + x(i) * e;
}
