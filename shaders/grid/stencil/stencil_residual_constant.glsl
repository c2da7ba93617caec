// b - A u or A u on the nodes of a quarter, 0 on entries that are no unknown.
// nodes of a grid -> nodes of a grid
KERNEL(stencil_residual_constant)
    INCLUDE(stencil_nodes, real)
    UNIFORM(real, centre)
    UNIFORM(real, across)  // the coupling with (i + 1, j)
    UNIFORM(real, along)   // the coupling with (i, j + 1)
    UNIFORM(real, of_b)    // 1: b - A u; 0: A u
VALUE(real, k)
{
    INCLUDE(stencil_constant, real)
    precise real product_k = centre * u(k) + others;
    if (marker(k) == real(0)) return real(0);
    return of_b == real(0) ? product_k : b(k) - product_k;
}
