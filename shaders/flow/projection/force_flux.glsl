// A n . grad of a potential with gradient F, by the differences that
// shaders/flow/projection/pressure_flux takes of a pressure: each the mean F of its ends along the
// line between them, which is exact for parabolas.   cells with boundary values and nodes (vector)
// -> faces
KERNEL(force_flux)
    IN(uint, cell, 2)  // a and b; a boundary face's own value among them
    IN(uint, node, NODES_PER_FACE)
    IN(real, conduction)  // 0 where the flux is given
    IN(real, cross, TANGENTS_PER_FACE)
    IN(vec, line)                     // x_b - x_a
    IN(vec, edge, TANGENTS_PER_FACE)  // x_j - x_0
    GATHER(vec, force, cells, halo)
    GATHER(vec, t, nodes, closure)
VALUE(real, f)
{
    vec first = t(node(f, 0u));
    precise real sum = conduction(f) * dot(force(cell(f, 0u)) + force(cell(f, 1u)), line(f));
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j)
        sum -= cross(f, j) * dot(t(node(f, j + 1u)) + first, edge(f, j));
    return real(0.5) * sum;
}
