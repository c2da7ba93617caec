// The mean of a face's two cells.   cells with boundary values -> faces
KERNEL(pair_mean)
    IN(uint, cell, 2)  // a and b; a boundary face's own value among them
    GATHER(real, x, cells, halo)
VALUE(real, f)
{
    return (x(cell(f, 0u)) + x(cell(f, 1u))) / real(2);
}
