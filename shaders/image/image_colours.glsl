// The colours of the picture, red + 256 green + 65536 blue, each from 0 to 255 as sRGB says:
// C_out = (C_in / L_in)^saturation L_out, L_out = (e^(map - white) - black) scale; pixels without a
// luminance are grey.   pixels -> pixels
KERNEL(image_colours)
    UNIFORM(uint, width)
    UNIFORM(uint, pitch)    // of the map, which lies in quarters
    UNIFORM(uint, quarter)  // entries of one
    UNIFORM(real, white)
    UNIFORM(real, black)
    UNIFORM(real, scale)
    UNIFORM(real, saturation)
    IN(real, red)
    IN(real, green)
    IN(real, blue)
    IN(real, luminance)
    TABLE(real, map)
VALUE(real, i)
{
    uint x = i % width;
    uint y = i / width;
    uint entry = (x % 2u + 2u * (y % 2u)) * quarter + (y / 2u + 1u) * pitch + x / 2u + 1u;
    real light = (exp(min(map(entry) - white, real(1))) - black) * scale;
    light = max(real(0), min(real(1), light));
    real sum = real(0);
    for (uint n = 0u; n < 3u; ++n) {
        real of_this = n == 0u ? blue(i) : n == 1u ? green(i) : red(i);
        real part = luminance(i) > real(0) ? pow(of_this / luminance(i), saturation) : real(1);
        real colour = min(real(1), part * light);
        real shown = colour <= real(31308) / real(10000000)
                         ? colour * (real(1292) / real(100))
                         : (real(1055) * pow(colour, real(5) / real(12)) - real(55)) / real(1000);
        sum = real(256) * sum + real(uint(real(255) * shown + real(1) / real(2)));
    }
    return sum;
}
