// A column of the operator -div grad of pixels, nothing through the sides; d: how many neighbours a
// pixel has.   nodes of a quarter
KERNEL(image_laplacian)
    UNIFORM(uint, width)
    UNIFORM(uint, height)
    UNIFORM(uint, start)  // of the quarter
    UNIFORM(uint, pitch)
    UNIFORM(uint, is_odd_x)
    UNIFORM(uint, is_odd_y)
    UNIFORM(uint, column)  // 0: d; 1: e; 2: n; 3: 1 at each pixel
VALUE(real, k)
{
    uint x = 2u * ((k - start) % pitch) + is_odd_x;
    uint y = 2u * ((k - start) / pitch) + is_odd_y;
    if (x < 2u || y < 2u || x >= width + 2u || y >= height + 2u) return real(0);
    real east = x < width + 1u ? real(1) : real(0);
    real north = y < height + 1u ? real(1) : real(0);
    if (column == 3u) return real(1);
    if (column == 2u) return -north;
    if (column == 1u) return -east;
    return east + north + (x > 2u ? real(1) : real(0)) + (y > 2u ? real(1) : real(0));
}
