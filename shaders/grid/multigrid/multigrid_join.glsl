// A field of the next coarser grid as values at the nodes of quarter 0 of a grid, ghosts included.
// nodes of a grid -> coarser nodes
KERNEL(multigrid_join)
    UNIFORM(uint, pitch)
    UNIFORM(uint, coarse_pitch)
    UNIFORM(uint, coarse_quarter)  // entries of a quarter
    UNIFORM(uint, offset_x)
    UNIFORM(uint, offset_y)
    TABLE(real, values)
VALUE(real, k)
{
    uint x = k % pitch + offset_x;
    uint y = k / pitch + offset_y;
    uint quarter = x % 2u + 2u * (y % 2u);
    return values(quarter * coarse_quarter + (y / 2u) * coarse_pitch + x / 2u);
}
