// A coupling of the Galerkin operator R A P on the next coarser grid: of each node K of that with
// K + D, D = ((to_x - 2) / 2, (to_y - 2) / 2). K is the node 2 K here, an entry of quarter 0; R_s
// and P_s are the weight of a coarse node at the node s away from it.
// quarter 0 of a grid -> coarser nodes
KERNEL(multigrid_combine)
    UNIFORM(uint, pitch)
    UNIFORM(uint, quarter)  // entries of a quarter
    UNIFORM(uint, to_x)     // 2 + 2 D
    UNIFORM(uint, to_y)
    UNIFORM(uint, has_nine)
    TABLE(real, straight, 3)  // d, e, n
    TABLE(real, diagonal, 2)  // ne, nw; not read where there are five points
    TABLE(real, weight, 4)    // at the node one west, east, south, north of a coarse node
    TABLE(real, kept)         // 1 at nodes that may be unknowns of coarser grids, else 0
VALUE(real, k)
{
    uint there = k + to_x / 2u - 1u + (to_y / 2u - 1u) * pitch;
    precise real sum = real(0);
    for (uint sy = 0u; sy < 3u; ++sy)
        for (uint sx = 0u; sx < 3u; ++sx) {
            real rx = sx == 1u ? real(1) : sx == 0u ? weight(k, 0u) : weight(k, 1u);
            real ry = sy == 1u ? real(1) : sy == 0u ? weight(k, 2u) : weight(k, 3u);
            uint fine = k + (sx + 1u) / 2u - 1u + ((sx + 1u) % 2u) * quarter +
                        ((sy + 1u) / 2u - 1u) * pitch + ((sy + 1u) % 2u) * 2u * quarter;
            for (uint ty = 0u; ty < 3u; ++ty)
                for (uint tx = 0u; tx < 3u; ++tx) {
                    uint lx = sx + tx;
                    uint ly = sy + ty;
                    uint px = lx + 1u - to_x;
                    uint py = ly + 1u - to_y;
                    if (px < 3u && py < 3u) {
                        real wx = px == 1u   ? real(1)
                                  : px == 0u ? weight(there, 0u)
                                             : weight(there, 1u);
                        real wy = py == 1u   ? real(1)
                                  : py == 0u ? weight(there, 2u)
                                             : weight(there, 3u);
                        uint other = k + lx / 2u - 1u + (lx % 2u) * quarter +
                                     (ly / 2u - 1u) * pitch + (ly % 2u) * 2u * quarter;
                        real a = real(0);
                        if (tx == 1u && ty == 1u)
                            a = straight(fine, 0u);
                        else if (ty == 1u)
                            a = tx == 2u ? straight(fine, 1u) : straight(other, 1u);
                        else if (tx == 1u)
                            a = ty == 2u ? straight(fine, 2u) : straight(other, 2u);
                        else if (has_nine == 1u) {
                            if (tx == ty)
                                a = ty == 2u ? diagonal(fine, 0u) : diagonal(other, 0u);
                            else
                                a = ty == 2u ? diagonal(fine, 1u) : diagonal(other, 1u);
                        }
                        sum += (rx * ry) * a * (wx * wy);
                    }
                }
        }
    return kept(k) * kept(there) == real(0) ? real(0) : sum;
}
