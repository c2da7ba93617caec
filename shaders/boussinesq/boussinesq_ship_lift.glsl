// Sums over the nodes under a ship of s w, s w y' and s w x', w = g zeta + P.   array -> sums
KERNEL(boussinesq_ship_lift)
    UNIFORM(uint, first)  // number of the ship in its table
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(real, dx)
    UNIFORM(real, dy)
    UNIFORM(real, gravity)
    TABLE(real, ship)
    IN(real, zeta)
    IN(real, depth)  // 0 on land
    REDUCE(sum, lift)
    REDUCE(sum, roll)
    REDUCE(sum, pitching)
UPDATE(k)
{
    INCLUDE(boussinesq_ship, real)
    uint column = k % pitch;
    bool is_node = column >= 1u && column <= width && depth(k) > real(0);
    real w = is_node ? gravity * zeta(k) + s * deep : real(0);
    lift = product(s, w);
    roll = product(s * aside, w);
    pitching = product(s * along, w);
}
