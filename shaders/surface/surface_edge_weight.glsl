// scale * (cot alpha + cot beta) of an edge, alpha and beta the angles opposite it; a triangle
// without an area counts as none.   nodes -> edges
KERNEL(surface_edge_weight)
    IN(uint, node, 4)  // its ends, then the corners opposite: NONE beyond a border
    UNIFORM(real, scale)
    GATHER(vec, x, nodes, closure)
VALUE(real, e)
{
    vec a = x(node(e, 0u));
    vec b = x(node(e, 1u));
    real sum = real(0);
    for (uint k = 2u; k < 4u; ++k) {
        uint opposite = node(e, k);
        if (opposite != NONE) {
            vec u = a - x(opposite);
            vec w = b - x(opposite);
            vec n = turned(u, w);
            sum += quotient(dot(u, w), sqrt(dot(n, n)));
        }
    }
    return scale * sum;
}
