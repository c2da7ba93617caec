// Backward substitution, r1-nodes: z = x / d - L^T z of the r2-nodes, which the next level has
// solved for.   quarter -> quarter
KERNEL(rrb_substitute_level)
    UNIFORM(uint, pitch)
    TABLE(real, next)   // z of the r2-nodes
    TABLE(real, r1, 5)  // 1 / d, and the entries of L: sw, se, nw, ne
    IN(real, x1)
    OUT(real, z1)
    OUT(real, z2)
UPDATE(k)
{
    INCLUDE(rrb_substitute, real)
    z1_new = z;
    z2_new = other;
}
