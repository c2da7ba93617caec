// A coupling of each unknown over its diagonal, 0 where the other node is not on this rank.
// nodes of a grid -> nodes of a grid
KERNEL(stencil_line_coupling)
    UNIFORM(uint, stored)  // how far away the coupling is stored
    UNIFORM(uint, other)   // how far away the other node is
    IN(real, diagonal)
    TABLE(real, coupling)
    TABLE(real, own)  // 1 on nodes of this rank
VALUE(real, k)
{
    return quotient(coupling(k + stored) * own(k + other), diagonal(k));
}
