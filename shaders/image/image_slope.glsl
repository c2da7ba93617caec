// |grad H| of a level by central differences, at sides by those of one side, in its own pixels:
// attenuations are relative to the level's mean.   pixels of a level -> pixels of it
KERNEL(image_slope)
    UNIFORM(uint, width)
    UNIFORM(uint, height)
    TABLE(real, image)
    OUT(real, slope)
    REDUCE(sum, total)
UPDATE(k)
{
    uint x = k % width;
    uint y = k / width;
    uint west = x > 0u ? 1u : 0u;
    uint east = x + 1u < width ? 1u : 0u;
    uint north = y > 0u ? width : 0u;
    uint south = y + 1u < height ? width : 0u;
    real across = image(k + east) - image(k - west);
    real down = image(k + south) - image(k - north);
    if (west + east == 2u) across = across / real(2);
    if (north + south == 2u * width) down = down / real(2);
    real steepness = sqrt(across * across + down * down);
    slope_new = steepness;
    total = wide(steepness);
}
