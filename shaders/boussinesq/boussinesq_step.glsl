// A step of zeta and phi from their old level by the rates of the present one; damping acts on the
// old level.   array -> array
KERNEL(boussinesq_step)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(uint, has_current)
    UNIFORM(real, gravity)
    UNIFORM(real, per_x)  // 1 / dx^2
    UNIFORM(real, per_y)
    UNIFORM(real, step)  // [s] from the old level to the new one
    INOUT(real, zeta_old)
    INOUT(real, phi_old)
    TABLE(real, zeta)
    TABLE(real, phi)
    TABLE(real, psi)
    TABLE(real, depth)       // 0 on land
    TABLE(real, current, 2)  // through the side to the east, to the north, over dx, dy [1/s]
    IN(real, damping)        // [1/s]
    IN(real, pressure)       // over density [m^2/s^2]
    IN(real, source)         // [m/s]
UPDATE(k)
{
    uint column = k % pitch;
    real own = depth(k);
    bool is_node = column >= 1u && column <= width && own > real(0);
    real middle = real(1) / real(2);
    real third = real(1) / real(3);
    real west = depth(k - 1u) > real(0) ? middle * (own + depth(k - 1u)) : real(0);
    real east = depth(k + 1u) > real(0) ? middle * (own + depth(k + 1u)) : real(0);
    real south = depth(k - pitch) > real(0) ? middle * (own + depth(k - pitch)) : real(0);
    real north = depth(k + pitch) > real(0) ? middle * (own + depth(k + pitch)) : real(0);
    real f = phi(k);
    real s = psi(k);
    real to_west = phi(k - 1u) - f;
    real to_east = phi(k + 1u) - f;
    real to_south = phi(k - pitch) - f;
    real to_north = phi(k + pitch) - f;
    precise real along_x = west * (to_west - third * west * (psi(k - 1u) - s));
    along_x += east * (to_east - third * east * (psi(k + 1u) - s));
    precise real along_y = south * (to_south - third * south * (psi(k - pitch) - s));
    along_y += north * (to_north - third * north * (psi(k + pitch) - s));
    precise real zeta_rate = source(k) - (per_x * along_x + per_y * along_y);
    precise real phi_rate = -gravity * zeta(k) - pressure(k);
    if (has_current != 0u) {
        real u_west = middle * current(k - 1u, 0u);
        real u_east = middle * current(k, 0u);
        real v_south = middle * current(k - pitch, 1u);
        real v_north = middle * current(k, 1u);
        zeta_rate += u_west * (zeta(k - 1u) + zeta(k)) - u_east * (zeta(k) + zeta(k + 1u));
        zeta_rate += v_south * (zeta(k - pitch) + zeta(k)) - v_north * (zeta(k) + zeta(k + pitch));
        phi_rate += u_west * to_west - u_east * to_east;
        phi_rate += v_south * to_south - v_north * to_north;
    }
    precise real kept = real(1) - step * damping(k);
    precise real zeta_next = kept * zeta_old(k) + step * zeta_rate;
    precise real phi_next = kept * phi_old(k) + step * phi_rate;
    zeta_old_new = is_node ? zeta_next : real(0);
    phi_old_new = is_node ? phi_next : real(0);
}
