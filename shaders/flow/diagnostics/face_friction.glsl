// Viscous force of the fluid on boundary faces, by density, for a list of them: -2 nu S A n, n
// outward, S the strain rate of a velocity that is linear in the cell inside.   nodes (vector) ->
// list (vector)
KERNEL(face_friction)
    IN(uint, node, NODES_PER_CELL)     // of the cell inside
    IN(vec, opposite, NODES_PER_CELL)  // its outward areas opposite them
    IN(real, volume)
    IN(real, nu)
    IN(vec, area)  // A n
    GATHER(vec, t, nodes, halo)
VALUE(vec, k)
{
    vec first = t(node(k, 0u));
    precise vec sum = vec(0);
    for (uint j = 1u; j < NODES_PER_CELL; ++j) {
        vec rise = t(node(k, j)) - first;
        sum += dot(opposite(k, j), area(k)) * rise + dot(rise, area(k)) * opposite(k, j);
    }
    return (nu(k) / (real(DIMENSION) * volume(k))) * sum;
}
