// The five-point matrix of M psi - div(N grad psi), a node's area divided out: d, and the couplings
// with the nodes to the east and to the north. A side between two nodes has their mean depth, none
// where one is land.   array -> array
KERNEL(boussinesq_matrix)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    UNIFORM(real, per_x)  // 1 / dx^2
    UNIFORM(real, per_y)
    TABLE(real, depth)  // 0 on land
    OUT(real, d)
    OUT(real, e)
    OUT(real, n)
UPDATE(k)
{
    uint column = k % pitch;
    real own = depth(k);
    bool is_node = column >= 1u && column <= width && own > real(0);
    real middle = real(1) / real(2);
    real west = depth(k - 1u) > real(0) ? middle * (own + depth(k - 1u)) : real(0);
    real east = depth(k + 1u) > real(0) ? middle * (own + depth(k + 1u)) : real(0);
    real south = depth(k - pitch) > real(0) ? middle * (own + depth(k - pitch)) : real(0);
    real north = depth(k + pitch) > real(0) ? middle * (own + depth(k + pitch)) : real(0);
    real share = real(2) / real(15);
    real to_east = per_x * share * east * east * east;
    real to_north = per_y * share * north * north * north;
    precise real sum = own / real(3);
    sum += per_x * share * west * west * west;
    sum += to_east;
    sum += per_y * share * south * south * south;
    sum += to_north;
    d_new = is_node ? sum : real(0);
    e_new = is_node ? -to_east : real(0);
    n_new = is_node ? -to_north : real(0);
}
