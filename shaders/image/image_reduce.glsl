// The next level of a Gaussian pyramid: the pixels (2 i, 2 j) of an image that is filtered by
// (1 4 6 4 1) / 16 in both directions; beyond its sides are the pixels there.
// pixels of a level -> pixels of the coarser one
KERNEL(image_reduce)
    UNIFORM(uint, width)  // of the level
    UNIFORM(uint, height)
    UNIFORM(uint, coarse_width)
    TABLE(real, image)
VALUE(real, k)
{
    uint x = 2u * (k % coarse_width);
    uint y = 2u * (k / coarse_width);
    uint west = x > 0u ? x - 1u : 0u;
    uint east = x + 1u < width ? x + 1u : width - 1u;
    uint far_west = x > 1u ? x - 2u : 0u;
    uint far_east = x + 2u < width ? x + 2u : width - 1u;
    precise real sum = real(0);
    for (uint n = 0u; n < 5u; ++n) {
        uint place = y + n < 2u ? 0u : y + n - 2u;
        uint row = (place < height ? place : height - 1u) * width;
        precise real line = real(6) * image(row + x);
        line += real(4) * (image(row + west) + image(row + east));
        line += image(row + far_west) + image(row + far_east);
        sum += (n == 2u ? real(6) : n == 1u || n == 3u ? real(4) : real(1)) * line;
    }
    return sum / real(256);
}
