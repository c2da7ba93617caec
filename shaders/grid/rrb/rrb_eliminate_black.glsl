// Forward substitution, black nodes: x of the red nodes less L x of the black ones round them; and
// x / d of the black nodes, for the way back.   array of a level -> quarter
KERNEL(rrb_eliminate_black)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(uint, source_stride)
    UNIFORM(uint, start)
    TABLE(real, source)
    TABLE(real, black, 10)  // of b1, of b2: 1 / d, west, east, south, north
    OUT(real, r1)
    OUT(real, r2)
    OUT(real, b1)
    OUT(real, b2)
UPDATE(k)
{
    uint column = k % pitch;
    uint s = 2u * column + 2u * (k / pitch) * source_stride + start;
    bool is_inside = column >= 1u && column <= width;
    uint above = s + source_stride;
    precise real x1 = source(s);
    x1 -= black(k, 1u) * source(s + 1u);
    x1 -= black(k - 1u, 2u) * source(s - 1u);
    x1 -= black(k, 8u) * source(above);
    x1 -= black(k - pitch, 9u) * source(s - source_stride);
    precise real x2 = source(above + 1u);
    x2 -= black(k, 4u) * source(s + 1u);
    x2 -= black(k + pitch, 3u) * source(above + source_stride + 1u);
    x2 -= black(k, 7u) * source(above);
    x2 -= black(k + 1u, 6u) * source(above + 2u);
    r1_new = is_inside ? x1 : real(0);
    r2_new = is_inside ? x2 : real(0);
    b1_new = black(k, 0u) * source(s + 1u);
    b2_new = black(k, 5u) * source(above);
}
