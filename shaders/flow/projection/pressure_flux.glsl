// What a pressure gradient leaves of a flux: U = U* - s [conduction (p_b - p_a) - sum_j cross_j
// (t_j - t_0)], the bracket A n . grad p, exact for linear fields.   faces, cells with boundary
// values and nodes -> faces
KERNEL(pressure_flux)
    UNIFORM(real, s)
    IN(uint, cell, 2)  // a and b; a boundary face's own value among them
    IN(uint, node, NODES_PER_FACE)
    IN(real, conduction)  // 0 where the flux is given
    IN(real, cross, TANGENTS_PER_FACE)
    IN(real, star)
    GATHER(real, p, cells, halo)
    GATHER(real, t, nodes, closure)  // node values of p
VALUE(real, f)
{
    real first = t(node(f, 0u));
    precise real gradient = conduction(f) * (p(cell(f, 1u)) - p(cell(f, 0u)));
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j)
        gradient -= cross(f, j) * (t(node(f, j + 1u)) - first);
    precise real rest = star(f) - s * gradient;
    return rest;
}
