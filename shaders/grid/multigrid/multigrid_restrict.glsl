// Full weighting R = P^T of a residual, at the nodes of the next coarser grid, which are those of
// quarter 0.   quarter 0 of a grid -> coarser nodes
KERNEL(multigrid_restrict)
    UNIFORM(uint, pitch)
    UNIFORM(uint, quarter)  // entries of a quarter
    IN(real, weight, 4)     // at the node one west, east, south, north of a coarse node
    TABLE(real, residual)
VALUE(real, k)
{
    uint odd = k + quarter;
    uint above = k + 2u * quarter;
    uint across = k + 3u * quarter;
    precise real middle = residual(k);
    middle += weight(k, 0u) * residual(odd - 1u);
    middle += weight(k, 1u) * residual(odd);
    precise real upper = residual(above);
    upper += weight(k, 0u) * residual(across - 1u);
    upper += weight(k, 1u) * residual(across);
    precise real lower = residual(above - pitch);
    lower += weight(k, 0u) * residual(across - pitch - 1u);
    lower += weight(k, 1u) * residual(across - pitch);
    precise real sum = middle + weight(k, 2u) * lower;
    sum += weight(k, 3u) * upper;
    return sum;
}
