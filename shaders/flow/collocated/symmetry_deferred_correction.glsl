// What a face in symmetry carries along its normal, for a list of them: the part of its implicit
// drag that the flow along it is spared, -c sum of f (f . u_c).   cells (vector) -> list (vector)
KERNEL(symmetry_deferred_correction)
    IN(uint, cell, 1)             // inside
    IN(real, conduction)          // c, negative where the normal enters the domain
    IN(vec, deferred, DIMENSION)  // f
    GATHER(vec, u, cells, closure)
VALUE(vec, k)
{
    vec inside = u(cell(k, 0u));
    precise vec sum = vec(0);
    for (uint j = 0u; j < uint(DIMENSION); ++j)
        sum -= (conduction(k) * dot(deferred(k, j), inside)) * deferred(k, j);
    return sum;
}
