// Backward substitution, black nodes: z = x / d - L^T z of the red nodes round each; with the red
// ones, as an array of the level. shift_x, shift_y: 1 where the level is a line that starts with an
// odd node.   quarter -> array of a level
KERNEL(rrb_interleave)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(uint, quarter_pitch)
    UNIFORM(uint, shift_x)
    UNIFORM(uint, shift_y)
    TABLE(real, red, 2)     // z of r1, of r2
    TABLE(real, solved, 2)  // x / d of b1, of b2
    TABLE(real, black, 10)  // of b1, of b2: 1 / d, west, east, south, north
VALUE(real, i)
{
    uint own = i % pitch;
    if (own < 1u || own > width) return real(0);
    uint column = own + 1u + shift_x;
    uint row = i / pitch + 3u + shift_y;
    uint k = column / 2u + (row / 2u) * quarter_pitch;
    bool is_odd_column = column % 2u == 1u;
    if (is_odd_column == (row % 2u == 1u)) return is_odd_column ? red(k, 1u) : red(k, 0u);
    precise real z = real(0);
    if (is_odd_column) {
        z = solved(k, 0u);
        z -= black(k, 1u) * red(k, 0u);
        z -= black(k, 2u) * red(k + 1u, 0u);
        z -= black(k, 3u) * red(k - quarter_pitch, 1u);
        z -= black(k, 4u) * red(k, 1u);
    } else {
        z = solved(k, 1u);
        z -= black(k, 6u) * red(k - 1u, 1u);
        z -= black(k, 7u) * red(k, 1u);
        z -= black(k, 8u) * red(k, 0u);
        z -= black(k, 9u) * red(k + quarter_pitch, 0u);
    }
    return z;
}
