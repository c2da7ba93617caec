// Vorticity at a cell's centroid from its codim-2 entities: the mean of a triangle's nodes (2D, in
// the first component), the edge elements of a tet's edges (3D).   codim-2 entities -> cells
// (vector)
KERNEL(cell_vorticity)
    IN(uint, codim2, CODIM2_PER_CELL)
    // of the codim-2 entities at the centroid [1/m], in 2D (1/3, 0)
    IN(vec, element, CODIM2_PER_CELL)
    // omega at nodes [1/s], its integrals along edges [m/s]
    GATHER(real, vorticity, codim2, closure)
VALUE(vec, c)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < CODIM2_PER_CELL; ++j) sum += vorticity(codim2(c, j)) * element(c, j);
    return sum;
}
