// u on the nodes of a quarter such that their rows of A u = b hold; 0 on entries that are no
// unknown.   nodes of a grid -> nodes of a grid
KERNEL(stencil_relax_nine)
    INCLUDE(stencil_nodes, real)
    TABLE(real, straight, 3)  // d, e, n
    TABLE(real, diagonal, 2)  // ne, nw: the couplings with (i + 1, j + 1), (i - 1, j + 1)
VALUE(real, k)
{
    INCLUDE(stencil_nine, real)
    return marker(k) == real(0) ? real(0) : quotient(b(k) - others, straight(k, 0u));
}
