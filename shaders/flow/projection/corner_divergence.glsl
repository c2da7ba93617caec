// A cell-wise constant vector tested with the gradients of the nodes' linear functions: sum over
// the cells round a node of V q_c . grad(phi) = -q_c . S / d, S the outward area opposite the node;
// and the same sum of magnitudes, what its rounding is relative to. cells (vector) -> nodes
KERNEL(corner_divergence)
    ROWS(cells)
    IN(uint, corner, cells)           // 4 c + the node's place in the cell
    TABLE(vec, area, NODES_PER_CELL)  // S
    GATHER(vec, q, cells, halo)
    OUT(real, divergence)
    OUT(real, magnitude)
UPDATE(i)
{
    precise real sum = real(0);
    precise real size = real(0);
    for (uint j = 0u; j < cells_count(i); ++j) {
        uint c = corner(i, j) / 4u;
        precise real term = dot(q(c), area(c, corner(i, j) % 4u));
        sum -= term;
        size += abs(term);
    }
    divergence_new = sum / real(DIMENSION);
    magnitude_new = size / real(DIMENSION);
}
