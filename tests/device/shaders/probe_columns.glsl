// Fixed columns of every type, gathered: u_i = sum over j of w(n_ij) a_ij, doubled where `twice` is
// set.
KERNEL(probe_columns)
    UNIFORM(uint, twice)
    IN(uint, near, NODES_PER_CELL)
    TABLE(real, w)
    IN(vec, a, NODES_PER_CELL)
VALUE(vec, i)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < NODES_PER_CELL; ++j) sum += w(near(i, j)) * a(i, j);
    if (twice != 0u) sum = real(2) * sum;
    return sum;
}
