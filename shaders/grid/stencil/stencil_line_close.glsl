// Adds to u what lines lack that are closed: their solution as open lines, less that for the
// couplings of their ends with one another, times the values at these.   nodes of a grid
KERNEL(stencil_line_close)
    UNIFORM(uint, start)  // of the quarter
    UNIFORM(uint, pitch)
    UNIFORM(uint, is_y)
    UNIFORM(uint, first)  // where the first node of line 0 is, and the last one
    UNIFORM(uint, last)
    INOUT(real, u)
    TABLE(real, open)
    // for the coupling of the first node with the last, and the other way round
    TABLE(real, ends, 2)
UPDATE(k)
{
    uint place = k - start;
    uint line = is_y == 1u ? place % pitch : place / pitch * pitch;
    uint f = first + line;
    uint l = last + line;
    precise real before = real(1) + ends(f, 1u);
    precise real behind = real(1) + ends(l, 0u);
    precise real det = before * behind - ends(f, 0u) * ends(l, 1u);
    precise real at_first = open(f) * behind - ends(f, 0u) * open(l);
    precise real at_last = before * open(l) - ends(l, 1u) * open(f);
    precise real lacking = open(k) - ends(k, 0u) * quotient(at_last, det);
    lacking -= ends(k, 1u) * quotient(at_first, det);
    u_new = u(k) + lacking;
}
