// Phi of a level: (slope / alpha)^(beta - 1) times that of the coarser level, interpolated
// linearly. pixels of a level -> pixels of it
KERNEL(image_attenuation)
    UNIFORM(uint, width)
    UNIFORM(uint, height)
    UNIFORM(real, alpha)     // 0: no slope anywhere
    UNIFORM(real, exponent)  // beta - 1
    UNIFORM(real, least_slope)
    UNIFORM(uint, has_coarser)
    IN(real, slope)
    TABLE(real, coarser)
VALUE(real, k)
{
    real factor = alpha > real(0) ? pow(max(slope(k), least_slope) / alpha, exponent) : real(1);
    if (has_coarser == 0u) return factor;
    uint coarse_width = (width + 1u) / 2u;
    uint coarse_height = (height + 1u) / 2u;
    uint x = k % width;
    uint y = k / width;
    uint west = x / 2u;
    uint east = (x + 1u) / 2u < coarse_width ? (x + 1u) / 2u : coarse_width - 1u;
    uint north = y / 2u * coarse_width;
    uint south =
        ((y + 1u) / 2u < coarse_height ? (y + 1u) / 2u : coarse_height - 1u) * coarse_width;
    real upper = coarser(north + west) + coarser(north + east);
    real lower = coarser(south + west) + coarser(south + east);
    return factor * ((upper + lower) / real(4));
}
