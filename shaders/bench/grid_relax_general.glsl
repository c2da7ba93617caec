// A colour of red-black Gauss-Seidel for the five points 4, -1 of a grid that is periodic both
// ways, by one kernel for all nodes: each finds out where it is, whether it has the colour, and
// where its neighbours are beyond a side. What the quarter layout and ghosts spare. nodes of a grid
// -> nodes of a grid
KERNEL(grid_relax_general)
    UNIFORM(uint, pitch)
    UNIFORM(uint, quarter)  // entries of a quarter
    UNIFORM(uint, nx)
    UNIFORM(uint, ny)
    UNIFORM(uint, colour)
    UNIFORM(uint, is_stored)  // the colour of a node is read, not computed
    IN(real, black)           // 1 on black nodes
    IN(real, b)
    TABLE(real, u)
VALUE(real, k)
{
    uint part = k / quarter;
    uint place = k % quarter;
    uint x = 2u * (place % pitch - 1u) + part % 2u;
    uint y = 2u * (place / pitch - 1u) + part / 2u;
    if (place % pitch == 0u || place / pitch == 0u || x >= nx || y >= ny) return real(0);
    uint own = is_stored == 1u ? (black(k) == real(0) ? 0u : 1u) : (x + y) % 2u;
    if (own != colour) return u(k);
    precise real sum = b(k);
    for (uint side = 0u; side < 4u; ++side) {
        uint sx = side == 0u   ? (x + 1u == nx ? 0u : x + 1u)
                  : side == 1u ? (x == 0u ? nx - 1u : x - 1u)
                               : x;
        uint sy = side == 2u   ? (y + 1u == ny ? 0u : y + 1u)
                  : side == 3u ? (y == 0u ? ny - 1u : y - 1u)
                               : y;
        sum += u((sx % 2u + 2u * (sy % 2u)) * quarter + (sy / 2u + 1u) * pitch + sx / 2u + 1u);
    }
    return sum / real(4);
}
