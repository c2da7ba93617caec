// The first Schur complement S_1 = D_r - S_rb D_b^-1 S_br of a level at its r1-nodes: the sums
// of its rows and the couplings with the next r1-node to the east and to the north.
// level -> quarter
KERNEL(rrb_schur_straight)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(uint, source_stride)
    UNIFORM(uint, start)
    TABLE(real, a, 3)       // the row's sum, e, n
    TABLE(real, black, 10)  // of b1, of b2: 1 / d, west, east, south, north
    OUT(real, excess)
    OUT(real, east)
    OUT(real, north)
UPDATE(k)
{
    uint column = k % pitch;
    uint s = 2u * column + 2u * (k / pitch) * source_stride + start;
    bool is_inside = column >= 1u && column <= width;
    precise real sum = a(s, 0u);
    sum -= black(k, 1u) * a(s + 1u, 0u);
    sum -= black(k - 1u, 2u) * a(s - 1u, 0u);
    sum -= black(k, 8u) * a(s + source_stride, 0u);
    sum -= black(k - pitch, 9u) * a(s - source_stride, 0u);
    excess_new = is_inside ? sum : real(0);
    east_new = is_inside ? -(black(k, 1u) * a(s + 1u, 1u)) : real(0);
    north_new = is_inside ? -(black(k, 8u) * a(s + source_stride, 2u)) : real(0);
}
