// z = A^-1 x on the last level. Node i of it is entry i % width + 1 + (i / width + 3) pitch of an
// array.   array of a level -> array of a level
KERNEL(rrb_last_level)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(uint, height)
    TABLE(real, inverse)  // of width height rows
    TABLE(real, x)
VALUE(real, i)
{
    uint column = i % pitch;
    if (column < 1u || column > width) return real(0);
    uint nodes = width * height;
    uint node = column - 1u + (i / pitch - 3u) * width;
    precise real z = real(0);
    for (uint row = 0u; row < height; ++row)
        for (uint j = 0u; j < width; ++j)
            z += inverse((row * width + j) * nodes + node) * x(j + 1u + (row + 3u) * pitch);
    return z;
}
