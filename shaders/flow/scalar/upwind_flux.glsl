// What a volume carries through a face of the cell upstream.   cells, faces -> faces
KERNEL(upwind_flux)
    IN(uint, cell, 2)
    IN(real, volume)  // along the normal
    GATHER(real, u, cells, halo)
VALUE(real, f)
{
    uint up = volume(f) >= real(0) ? cell(f, 0u) : cell(f, 1u);
    return volume(f) * u(up);
}
