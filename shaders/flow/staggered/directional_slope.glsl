// The derivative of a vector field along one axis, dv/dx_k = (1/V) sum of +-A n_k v_f, v_f as in
// mean_transport. cells (vector) -> cells (vector)
KERNEL(directional_slope)
    UNIFORM(uint, k)
    TABLE(vec, unit)                // row k is the k-th unit vector
    IN(uint, face, FACES_PER_CELL)  // oriented
    IN(uint, cell, 2)
    TABLE(real, entered)
    TABLE(vec, area)  // A n [m^2], in 2D [m]
    IN(real, volume)
    GATHER(vec, v, cells, halo)
VALUE(vec, c)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = entity_of(face(c, j));
        vec a = v(cell(f, 0u));
        vec b = v(cell(f, 1u));
        sum += (orientation_of(face(c, j)) * dot(area(f), unit(k))) * (a + entered(f) * (b - a));
    }
    return sum / volume(c);
}
