// A number at pairs of marked nodes: of a node and the one a distance away.
// nodes of a grid -> nodes of a grid
KERNEL(grid_pair)
    UNIFORM(uint, distance)
    UNIFORM(real, number)
    TABLE(real, marker)
VALUE(real, k)
{
    return number * (marker(k) * marker(k + distance));
}
