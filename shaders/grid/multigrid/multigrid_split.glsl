// Values at the nodes of quarter 0 of a grid as a field of the next coarser one, on a quarter of
// that; zero outside the window of width times height nodes.   coarser nodes -> nodes of a grid
KERNEL(multigrid_split)
    UNIFORM(uint, start)  // of the quarter
    UNIFORM(uint, coarse_pitch)
    UNIFORM(uint, pitch)
    UNIFORM(uint, offset_x)
    UNIFORM(uint, offset_y)
    UNIFORM(uint, width)
    UNIFORM(uint, height)
    TABLE(real, values)
VALUE(real, k)
{
    uint x = 2u * ((k - start) % coarse_pitch) + offset_x;
    uint y = 2u * ((k - start) / coarse_pitch) + offset_y;
    if (x >= width || y >= height) return real(0);
    return values(x + 1u + (y + 1u) * pitch);
}
