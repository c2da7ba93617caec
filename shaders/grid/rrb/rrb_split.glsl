// The red nodes of an array.   array of a level -> quarter
KERNEL(rrb_split)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(uint, source_stride)
    UNIFORM(uint, start)
    TABLE(real, source)
    OUT(real, r1)
    OUT(real, r2)
UPDATE(k)
{
    uint column = k % pitch;
    uint s = 2u * column + 2u * (k / pitch) * source_stride + start;
    bool is_inside = column >= 1u && column <= width;
    r1_new = is_inside ? source(s) : real(0);
    r2_new = is_inside ? source(s + source_stride + 1u) : real(0);
}
