// Some entities' vectors with their components along given directions taken from elsewhere.   vectors, list (vector) -> list (vector)
KERNEL(completed_part)
    IN(uint, entity, 1)
    IN(vec, direction, DIMENSION)       // orthonormal, zero where there are fewer
    IN(vec, v)
    IN(vec, elsewhere)
VALUE(vec, k)
{
    vec lacking = elsewhere(k) - v(entity(k, 0u));
    precise vec sum = v(entity(k, 0u));
    for (uint j = 0u; j < uint(DIMENSION); ++j)
        sum += dot(direction(k, j), lacking) * direction(k, j);
    return sum;
}
