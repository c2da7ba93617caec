// Bilinear interpolation P of the coarser nodes, which lie as those of quarter 0, added to the
// unknowns of a quarter.   nodes of a grid
KERNEL(multigrid_correct)
    UNIFORM(uint, start)  // of the quarter
    UNIFORM(uint, pitch)
    UNIFORM(uint, is_odd_x)
    UNIFORM(uint, is_odd_y)
    INOUT(real, u)
    IN(real, marker)
    TABLE(real, weight, 4)  // at the node one west, east, south, north of a coarse node
    TABLE(real, coarse)
UPDATE(k)
{
    uint left = k - start;
    precise real sum = coarse(left);
    if (is_odd_x == 1u)
        sum = weight(left, 1u) * coarse(left) + weight(left + 1u, 0u) * coarse(left + 1u);
    if (is_odd_y == 1u) {
        uint upper = left + pitch;
        precise real above = coarse(upper);
        if (is_odd_x == 1u)
            above = weight(left, 1u) * coarse(upper) + weight(left + 1u, 0u) * coarse(upper + 1u);
        sum = weight(left, 3u) * sum + weight(upper, 2u) * above;
    }
    u_new = marker(k) == real(0) ? u(k) : u(k) + sum;
}
