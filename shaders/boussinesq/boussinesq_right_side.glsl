// -div(h D grad phi), D = h / 3, the right-hand side of the equation of psi.   array -> array
KERNEL(boussinesq_right_side)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(real, per_x)  // 1 / dx^2
    UNIFORM(real, per_y)
    TABLE(real, depth)  // 0 on land
    TABLE(real, phi)
VALUE(real, k)
{
    uint column = k % pitch;
    real own = depth(k);
    if (column < 1u || column > width || own <= real(0)) return real(0);
    real middle = real(1) / real(2);
    real west = depth(k - 1u) > real(0) ? middle * (own + depth(k - 1u)) : real(0);
    real east = depth(k + 1u) > real(0) ? middle * (own + depth(k + 1u)) : real(0);
    real south = depth(k - pitch) > real(0) ? middle * (own + depth(k - pitch)) : real(0);
    real north = depth(k + pitch) > real(0) ? middle * (own + depth(k + pitch)) : real(0);
    precise real along_x = west * west * (phi(k) - phi(k - 1u));
    along_x += east * east * (phi(k) - phi(k + 1u));
    precise real along_y = south * south * (phi(k) - phi(k - pitch));
    along_y += north * north * (phi(k) - phi(k + pitch));
    return (per_x * along_x + per_y * along_y) / real(3);
}
