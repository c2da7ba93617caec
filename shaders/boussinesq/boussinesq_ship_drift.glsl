// Sums over the nodes under a ship of w times the slopes of P along its axes, and of their moment
// about its middle, w = g zeta + P.   array -> sums
KERNEL(boussinesq_ship_drift)
    UNIFORM(uint, first)  // number of the ship in its table
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(real, dx)
    UNIFORM(real, dy)
    UNIFORM(real, gravity)
    TABLE(real, ship)
    IN(real, zeta)
    IN(real, depth)  // 0 on land
    REDUCE(sum, surge)
    REDUCE(sum, sway)
    REDUCE(sum, yaw)
UPDATE(k)
{
    INCLUDE(boussinesq_ship, real)
    uint column = k % pitch;
    bool is_node = column >= 1u && column <= width && depth(k) > real(0) && is_under;
    real w = is_node ? gravity * zeta(k) + s * deep : real(0);
    real slope = -real(8) * xi * xi * xi * ship(first + 6u) * along_root * aside_root * aside_root;
    real along_slope = slope * deep + s * ship(first + 9u);
    slope = -real(4) * eta * ship(first + 7u) * along_root * along_root * aside_root;
    real aside_slope = slope * deep + s * ship(first + 10u);
    surge = product(w, along_slope);
    sway = product(w, aside_slope);
    yaw = product(w, along * aside_slope - aside * along_slope);
}
