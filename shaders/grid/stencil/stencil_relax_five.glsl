// u on the nodes of a quarter such that their rows of A u = b hold; 0 on entries that are no
// unknown.   nodes of a grid -> nodes of a grid
KERNEL(stencil_relax_five)
    INCLUDE(stencil_nodes, real)
    TABLE(real, straight, 3)  // d, e, n: the diagonal, the couplings with (i + 1, j), (i, j + 1)
VALUE(real, k)
{
    INCLUDE(stencil_five, real)
    return marker(k) == real(0) ? real(0) : quotient(b(k) - others, straight(k, 0u));
}
