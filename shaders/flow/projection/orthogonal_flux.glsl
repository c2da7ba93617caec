// Adds to a flux what a potential drives between the two cells of a face, along the line of their
// centres: U + conduction (x_b - x_a).   cells with boundary values -> faces
KERNEL(orthogonal_flux)
    IN(uint, cell, 2)  // a and b; a boundary face's own value among them
    IN(real, conduction)
    GATHER(real, x, cells, halo)
    INOUT(real, flux)
UPDATE(f)
{
    precise real sum = flux(f) + conduction(f) * (x(cell(f, 1u)) - x(cell(f, 0u)));
    flux_new = sum;
}
