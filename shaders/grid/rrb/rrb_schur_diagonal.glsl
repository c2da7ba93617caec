// The first Schur complement of a level at its r1-nodes: the couplings with the four r2-nodes
// round each, by way of two black nodes.   level -> quarter
KERNEL(rrb_schur_diagonal)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(uint, source_stride)
    UNIFORM(uint, start)
    TABLE(real, a, 3)       // the row's sum, e, n
    TABLE(real, black, 10)  // of b1, of b2: 1 / d, west, east, south, north
    OUT(real, south_west)
    OUT(real, south_east)
    OUT(real, north_west)
    OUT(real, north_east)
UPDATE(k)
{
    uint column = k % pitch;
    uint s = 2u * column + 2u * (k / pitch) * source_stride + start;
    bool is_inside = column >= 1u && column <= width;
    uint below = s - source_stride;
    precise real sw =
        black(k - 1u, 2u) * a(below - 1u, 2u) + black(k - pitch, 9u) * a(below - 1u, 1u);
    precise real se = black(k, 1u) * a(below + 1u, 2u) + black(k - pitch, 9u) * a(below, 1u);
    precise real nw =
        black(k - 1u, 2u) * a(s - 1u, 2u) + black(k, 8u) * a(s + source_stride - 1u, 1u);
    precise real ne = black(k, 1u) * a(s + 1u, 2u) + black(k, 8u) * a(s + source_stride, 1u);
    south_west_new = is_inside ? -sw : real(0);
    south_east_new = is_inside ? -se : real(0);
    north_west_new = is_inside ? -nw : real(0);
    north_east_new = is_inside ? -ne : real(0);
}
