// Flux of a cell-wise constant vector through the dual face of an edge, from the edge's lower node
// to its higher one: sum over the cells round the edge of q_c . n, where the dual face's share in a
// cell is n = (S_a - S_b) / (d (d + 1)), S the outward areas opposite the edge's ends.   cells
// (vector) -> edges
KERNEL(dual_flux)
    ROWS(cells)
    IN(uint, cell, cells)
    // places of the edge's lower and higher node among the cell's: a + 4 b
    IN(uint, ends, cells)
    TABLE(vec, area, NODES_PER_CELL)
    GATHER(vec, q, cells, halo)
VALUE(real, e)
{
    precise real sum = real(0);
    for (uint j = 0u; j < cells_count(e); ++j) {
        uint c = cell(e, j);
        uint a = ends(e, j) % 4u;
        uint b = ends(e, j) / 4u;
        sum += dot(q(c), area(c, a) - area(c, b));
    }
    return sum / real(DIMENSION * (DIMENSION + 1));
}
