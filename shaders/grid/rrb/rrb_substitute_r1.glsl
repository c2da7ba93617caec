// Backward substitution, r1-nodes: z = x / d - L^T z of the r2-nodes, which the next level has
// solved for; with r . z over both.   quarter -> quarter
KERNEL(rrb_substitute_r1)
    UNIFORM(uint, pitch)
    TABLE(real, next)   // z of the r2-nodes
    TABLE(real, r1, 5)  // 1 / d, and the entries of L: sw, se, nw, ne
    IN(real, x1)
    IN(real, x2)
    OUT(real, z1)
    OUT(real, z2)
    REDUCE(sum, rz)
UPDATE(k)
{
    INCLUDE(rrb_substitute, real)
    z1_new = z;
    z2_new = other;
    rz = add(product(x1(k), z), product(x2(k), other));
}
