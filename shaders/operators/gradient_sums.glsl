// Of a velocity that is linear in each cell, with gradient L: the sums of V |curl u|^2 = V (L : L -
// L : L^T) and, weighted, of V 2 S : S = V (L : L + L : L^T), S the symmetric part. L = 1/(d V) sum
// over nodes of (t_0 - t_j) S_j, S_j the outward area opposite node j.
KERNEL(gradient_sums)
    IN(uint, node, NODES_PER_CELL)
    IN(vec, area, NODES_PER_CELL)  // S_j
    IN(real, volume)
    IN(real, weight)  // of the second
    GATHER(vec, t, nodes, closure)
    REDUCE(sum, rotation)
    REDUCE(sum, strain)
UPDATE(c)
{
    vec first = t(node(c, 0u));
    precise real whole = real(0);
    precise real turned = real(0);
    for (uint j = 1u; j < NODES_PER_CELL; ++j)
        for (uint k = 1u; k < NODES_PER_CELL; ++k) {
            vec a = first - t(node(c, j));
            vec b = first - t(node(c, k));
            whole += dot(a, b) * dot(area(c, j), area(c, k));
            turned += dot(a, area(c, k)) * dot(b, area(c, j));
        }
    real scale = real(1) / (real(DIMENSION) * real(DIMENSION) * volume(c));
    rotation = product(scale, whole - turned);
    strain = product(weight(c) * scale, whole + turned);
}
