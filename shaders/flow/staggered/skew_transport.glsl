// The thesis's correction of diffusion for skewness, of the derivatives along one axis: T -= nu t_k
// (g_a + g_b) / 2 with t = A n - A / (d . n) d (equation 7.7).   cells (vector) -> faces (vector)
KERNEL(skew_transport)
    UNIFORM(real, nu)
    UNIFORM(uint, k)
    TABLE(vec, unit)
    IN(uint, cell, 2)
    IN(real, entered)  // on the boundary the derivative is the cell's
    IN(vec, skew)      // t
    GATHER(vec, slope, cells, halo)
    INOUT(vec, transport)
UPDATE(f)
{
    vec mean = entered(f) * slope(cell(f, 0u)) + (real(1) - entered(f)) * slope(cell(f, 1u));
    precise vec sum = transport(f) - (nu * dot(skew(f), unit(k))) * mean;
    transport_new = sum;
}
