// Of some entities' vectors the components along kept directions.   vectors -> list (vector)
KERNEL(tangential_projection)
    IN(uint, entity, 1)
    IN(vec, kept, DIMENSION)  // orthonormal, zero where there are fewer
    GATHER(vec, v, entities, closure)
VALUE(vec, k)
{
    vec all = v(entity(k, 0u));
    precise vec sum = vec(0);
    for (uint j = 0u; j < uint(DIMENSION); ++j) sum += dot(kept(k, j), all) * kept(k, j);
    return sum;
}
