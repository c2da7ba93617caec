// Of the nodes behind the last coarse ones of a direction: the sums of their couplings with the
// line before them, and of what is left of their rows where values along their own line are equal.
// quarter 0 of a grid
KERNEL(multigrid_last_line)
    UNIFORM(uint, pitch)
    UNIFORM(uint, quarter)  // entries of a quarter
    UNIFORM(uint, last)     // column, or row, of the last coarse nodes in quarter 0
    UNIFORM(uint, is_y)
    UNIFORM(uint, has_nine)
    TABLE(real, straight, 3)  // d, e, n
    TABLE(real, diagonal, 2)  // ne, nw; not read where there are five points
    TABLE(real, marker)
    REDUCE(sum, before)
    REDUCE(sum, rest)
UPDATE(k)
{
    precise real towards = real(0);
    precise real along = real(0);
    uint place = is_y == 1u ? k / pitch : k % pitch;
    uint node = k + (is_y + 1u) * quarter;
    if (place == last && marker(node) != real(0)) {
        towards = straight(k, 1u + is_y);
        along = straight(node, 0u) + straight(node, 2u - is_y);
        if (is_y == 1u) {
            along += straight(k + 3u * quarter - 1u, 1u);
            if (has_nine == 1u)
                towards += diagonal(k + quarter - 1u, 0u) + diagonal(k + quarter, 1u);
        } else {
            along += straight(k + 3u * quarter - pitch, 2u);
            if (has_nine == 1u)
                towards += diagonal(k + 2u * quarter - pitch, 0u) + diagonal(node, 1u);
        }
    }
    before = wide(towards);
    rest = wide(along);
}
