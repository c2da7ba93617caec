// The thesis's flux of momentum through a face along its normal (equations 7.6 and 7.7, without the
// correction for skewness): U u_f - nu A / (d . n) (w_b - w_a), u_f the mean of both cells or the
// upwind one.   cells (vector), faces -> faces (vector)
KERNEL(mean_transport)
    UNIFORM(real, nu)
    UNIFORM(real, upwind)  // 1: the cell that the flow comes from, 0: the mean
    // left by the normal, entered by it; a boundary face's own value among them
    IN(uint, cell, 2)
    // weight of the second in the mean: 1/2, on the boundary 1 or 0
    IN(real, entered)
    IN(real, conduction)  // A / (d . n) [m], in 2D dimensionless
    IN(real, flux)        // U_f, area included
    GATHER(vec, u, cells, halo)
    GATHER(vec, w, cells, halo)  // the velocity that diffuses
VALUE(vec, f)
{
    uint a = cell(f, 0u);
    uint b = cell(f, 1u);
    real side = flux(f) > real(0) ? real(0) : real(1);
    real share = upwind * side + (real(1) - upwind) * entered(f);
    precise vec sum =
        flux(f) * (u(a) + share * (u(b) - u(a))) - (nu * conduction(f)) * (w(b) - w(a));
    return sum;
}
