// The sum of corner_divergence of its terms' magnitudes: what its rounding is relative to.   cells (vector) -> nodes
KERNEL(corner_magnitude)
    ROWS(cells)
    IN(uint, corner, cells)             // 4 c + the node's place in the cell
    IN(vec, area, NODES_PER_CELL)       // S
    IN(vec, q)
VALUE(real, i)
{
    precise real sum = real(0);
    for (uint j = 0u; j < cells_count(i); ++j) {
        uint c = corner(i, j) / 4u;
        sum += abs(dot(q(c), area(c, corner(i, j) % 4u)));
    }
    return sum / real(DIMENSION);
}
