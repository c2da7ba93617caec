// The mixed area of a node: of each triangle round it the part that is nearest to the node, where
// no angle is obtuse; half of a triangle that is obtuse at the node, a quarter of one that is
// obtuse elsewhere.   nodes -> nodes
KERNEL(surface_node_area)
    ROWS(around)              // triangles
    IN(uint, second, around)  // their other corners, in order
    IN(uint, third, around)
    GATHER(vec, x, nodes, closure)
VALUE(real, i)
{
    vec a = x(i);
    real sum = real(0);
    for (uint j = 0u; j < around_count(i); ++j) {
        vec b = x(second(i, j)) - a;
        vec c = x(third(i, j)) - a;
        vec d = c - b;
        vec n = turned(b, c);
        real twice = sqrt(dot(n, n));  // the triangle's area, twice
        real at_a = dot(b, c);         // cotangents of the corners, times that
        real at_b = -dot(b, d);
        real at_c = dot(c, d);
        if (at_a < real(0))
            sum += twice / real(4);
        else if (at_b < real(0) || at_c < real(0))
            sum += twice / real(8);
        else
            sum += quotient(dot(b, b) * at_c + dot(c, c) * at_b, real(8) * twice);
    }
    return sum;
}
