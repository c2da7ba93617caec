// Twice the scheme's energy of two levels a and b, a node's area divided out.   array -> sums
KERNEL(boussinesq_energy)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(real, gravity)
    UNIFORM(real, per_x)  // 1 / dx^2
    UNIFORM(real, per_y)
    TABLE(real, zeta_a)
    TABLE(real, zeta_b)
    TABLE(real, phi_a)
    TABLE(real, phi_b)
    TABLE(real, psi_a)
    TABLE(real, psi_b)
    TABLE(real, depth)       // 0 on land
    TABLE(real, current, 2)  // through the side to the east, to the north, over dx, dy [1/s]
    REDUCE(sum, potential)
    REDUCE(sum, kinetic)
    REDUCE(sum, of_current)
UPDATE(k)
{
    uint column = k % pitch;
    real own = depth(k);
    bool is_node = column >= 1u && column <= width && own > real(0);
    accumulator all = wide(real(0));
    accumulator carried = wide(real(0));
    if (is_node) {
        all = product(own / real(3) * psi_a(k), psi_b(k));
        for (uint side = 0u; side < 2u; ++side) {
            uint other = side == 0u ? k + 1u : k + pitch;
            real weight = side == 0u ? per_x : per_y;
            real h = depth(other) > real(0) ? (own + depth(other)) / real(2) : real(0);
            real fa = phi_a(other) - phi_a(k);
            real fb = phi_b(other) - phi_b(k);
            real sa = h * (psi_a(other) - psi_a(k));
            real sb = h * (psi_b(other) - psi_b(k));
            all = add(all, product(weight * h * fa, fb));
            all = add(all, product(-weight * h / real(3) * fa, sb));
            all = add(all, product(-weight * h / real(3) * sa, fb));
            all = add(all, product(weight * h * real(2) / real(15) * sa, sb));
            real u = current(k, side) / real(2);
            carried = add(carried, product(u * (zeta_a(k) + zeta_a(other)), fb));
            carried = add(carried, product(u * (zeta_b(k) + zeta_b(other)), fa));
        }
    }
    potential = is_node ? product(gravity * zeta_a(k), zeta_b(k)) : wide(real(0));
    kinetic = all;
    of_current = carried;
}
