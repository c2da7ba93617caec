// Gradient: (G p)_f = p in the cell that the normal enters - p in the cell that it leaves; G =
// -D^T.   cells -> faces
KERNEL(gradient)
    // left by the normal, entered by it; NONE outside the domain
    IN(uint, cell, 2)
    GATHER(real, p, cells, halo)
VALUE(real, f)
{
    real sum = real(0);
    if (cell(f, 1u) != NONE) sum = p(cell(f, 1u));
    if (cell(f, 0u) != NONE) sum = sum - p(cell(f, 0u));
    return sum;
}
