// -div G in the quarter layout of a grid, G = Phi grad H by differences between two pixels, which
// have the mean of their Phi, 0 through the sides; its divergence by differences back to the
// pixels.   pixels -> nodes of a quarter
KERNEL(image_divergence)
    UNIFORM(uint, width)
    UNIFORM(uint, height)
    UNIFORM(uint, start)  // of the quarter
    UNIFORM(uint, pitch)
    UNIFORM(uint, is_odd_x)
    UNIFORM(uint, is_odd_y)
    TABLE(real, image)
    TABLE(real, attenuation)
VALUE(real, k)
{
    uint column = (k - start) % pitch;
    uint row = (k - start) / pitch;
    if (column == 0u || row == 0u) return real(0);
    uint x = 2u * (column - 1u) + is_odd_x;
    uint y = 2u * (row - 1u) + is_odd_y;
    if (x >= width || y >= height) return real(0);
    uint i = y * width + x;
    precise real sum = real(0);
    precise real here = attenuation(i);
    if (x > 0u) sum += (image(i) - image(i - 1u)) * (attenuation(i - 1u) + here);
    if (x + 1u < width) sum -= (image(i + 1u) - image(i)) * (attenuation(i + 1u) + here);
    if (y > 0u) sum += (image(i) - image(i - width)) * (attenuation(i - width) + here);
    if (y + 1u < height) sum -= (image(i + width) - image(i)) * (attenuation(i + width) + here);
    return real(0.5) * sum;
}
