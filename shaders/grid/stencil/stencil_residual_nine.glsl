// b - A u or A u on the nodes of a quarter, 0 on entries that are no unknown.
// nodes of a grid -> nodes of a grid
KERNEL(stencil_residual_nine)
    INCLUDE(stencil_nodes, real)
    TABLE(real, straight, 3)  // d, e, n
    TABLE(real, diagonal, 2)  // ne, nw: the couplings with (i + 1, j + 1), (i - 1, j + 1)
    UNIFORM(real, of_b)       // 1: b - A u; 0: A u
VALUE(real, k)
{
    INCLUDE(stencil_nine, real)
    precise real product_k = straight(k, 0u) * u(k) + others;
    if (marker(k) == real(0)) return real(0);
    return of_b == real(0) ? product_k : b(k) - product_k;
}
