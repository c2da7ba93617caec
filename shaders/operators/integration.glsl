// Integration: (I v)_f = sum over the cells of f of +-v_c . (x_f - x_c): v . dl along the dual
// edge. cells (vector) -> faces
KERNEL(integration)
    // left by the normal (+), entered by it (-); NONE outside the domain
    IN(uint, cell, 2)
    IN(uint, slot, 2)                   // the face's place among the faces of that cell
    TABLE(vec, offset, FACES_PER_CELL)  // x_f - x_c of the cells [m]
    GATHER(vec, v, cells, halo)
VALUE(real, f)
{
    precise real sum = real(0);
    if (cell(f, 0u) != NONE) sum = dot(v(cell(f, 0u)), offset(cell(f, 0u), slot(f, 0u)));
    if (cell(f, 1u) != NONE) sum = sum - dot(v(cell(f, 1u)), offset(cell(f, 1u), slot(f, 1u)));
    return sum;
}
