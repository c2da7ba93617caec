// Adds |a_kl| of a coupling that starts at a node, and of the one that ends there.
// nodes of a grid -> nodes of a grid
KERNEL(stencil_magnitudes)
    UNIFORM(uint, back)  // to where the latter starts
    TABLE(real, coupling)
    INOUT(real, total)
UPDATE(k)
{
    total_new = total(k) + abs(coupling(k)) + abs(coupling(k + back));
}
