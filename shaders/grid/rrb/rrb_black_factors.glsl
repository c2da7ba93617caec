// Of the black nodes b1 (or b2) of a level: 1 / d, and a / d of their couplings with the west,
// east, south and north red node, the entries of L. `start`: of the source's entry for quarter
// entry 0. Zero where there is no node.   matrix of a level -> quarter
KERNEL(rrb_black_factors)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(uint, source_stride)
    UNIFORM(uint, start)
    TABLE(real, a, 3)  // the row's sum, e, n
    OUT(real, inverse)
    OUT(real, west)
    OUT(real, east)
    OUT(real, south)
    OUT(real, north)
UPDATE(k)
{
    uint column = k % pitch;
    uint s = 2u * column + 2u * (k / pitch) * source_stride + start;
    bool is_inside = column >= 1u && column <= width;
    real w = a(s - 1u, 1u);
    real e = a(s, 1u);
    real below = a(s - source_stride, 2u);
    real above = a(s, 2u);
    precise real d = a(s, 0u) - (w + e) - (below + above);
    precise real inverted = is_inside ? quotient(real(1), d) : real(0);
    inverse_new = inverted;
    west_new = w * inverted;
    east_new = e * inverted;
    south_new = below * inverted;
    north_new = above * inverted;
}
