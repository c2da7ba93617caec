// Forward substitution, r1-nodes: x of the r2-nodes, which are the next level, less L x of the
// r1-nodes round them.   quarter -> quarter
KERNEL(rrb_eliminate_r1)
    UNIFORM(uint, pitch)
    TABLE(real, x1)
    TABLE(real, r1, 5)  // 1 / d, and the entries of L: sw, se, nw, ne
    IN(real, x2)
VALUE(real, k)
{
    precise real x = x2(k);
    x -= r1(k, 4u) * x1(k);
    x -= r1(k + 1u, 3u) * x1(k + 1u);
    x -= r1(k + pitch, 2u) * x1(k + pitch);
    x -= r1(k + pitch + 1u, 1u) * x1(k + pitch + 1u);
    return x;
}
