// Adds the solution on lines to u: that of parts alone, less the answers to the couplings of their
// ends times the values beyond these.   nodes of a grid
KERNEL(stencil_line_close)
    UNIFORM(uint, start)  // of the quarter
    UNIFORM(uint, pitch)
    UNIFORM(uint, lines)
    UNIFORM(uint, is_y)
    INOUT(real, u)
    IN(real, alone)
    IN(real, answer, 2)  // to the coupling of the first node of a part, of its last one
    TABLE(real, beyond)  // before the first nodes of all lines, behind the last ones
UPDATE(k)
{
    uint place = k - start;
    uint line = is_y == 1u ? place % pitch : place / pitch;
    precise real lacking = alone(k) - answer(k, 0u) * beyond(line);
    lacking -= answer(k, 1u) * beyond(lines + line);
    u_new = u(k) + lacking;
}
