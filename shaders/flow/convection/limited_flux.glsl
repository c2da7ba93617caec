// The part of the flux `excess` that is more than what the cells of a face allow (flux_limits).
// cells, faces -> faces
KERNEL(limited_flux)
    IN(uint, cell, 2)  // a boundary face's own value, with limits 1, among them
    GATHER(real, given, cells, halo)
    GATHER(real, taken, cells, halo)
    IN(real, excess)
VALUE(real, f)
{
    uint a = cell(f, 0u);
    uint b = cell(f, 1u);
    real part = excess(f) >= real(0) ? min(given(a), taken(b)) : min(taken(a), given(b));
    precise real cut = excess(f) - part * excess(f);
    return cut;
}
