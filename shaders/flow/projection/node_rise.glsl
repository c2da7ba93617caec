// By how much a potential with gradient F lies higher at a node than its node interpolation from
// the cells round it:
//   sum of w 1/2 (F_c + F_i) . (x_i - x_c), w the weights of that interpolation. Exact for
//       parabolas.   cells and nodes (vector) -> nodes
KERNEL(node_rise)
    ROWS(cells)
    IN(uint, cell, cells)
    IN(vec, reach, cells)  // w (x_i - x_c)
    GATHER(vec, force, cells, halo)
    IN(vec, at_node)
VALUE(real, i)
{
    precise real sum = real(0);
    for (uint j = 0u; j < cells_count(i); ++j)
        sum += dot(force(cell(i, j)) + at_node(i), reach(i, j));
    return real(0.5) * sum;
}
