// u on the nodes of a quarter such that their rows of A u = b hold; 0 on entries that are no
// unknown.   nodes of a grid -> nodes of a grid
KERNEL(stencil_relax_constant)
    INCLUDE(stencil_nodes, real)
    UNIFORM(real, centre)
    UNIFORM(real, across)  // the coupling with (i + 1, j)
    UNIFORM(real, along)   // the coupling with (i, j + 1)
VALUE(real, k)
{
    INCLUDE(stencil_constant, real)
    return marker(k) == real(0) ? real(0) : quotient(b(k) - others, centre);
}
