// The matrix of the next level, at the r2-nodes of this one: r1 is eliminated from the first Schur
// complement, and the diagonal ones of the nine points are lumped into their centres,
// which keeps the rows' sums.
// quarter -> quarter
KERNEL(rrb_next_matrix)
    UNIFORM(uint, pitch)
    TABLE(real, excess, 2)  // the rows' sums, of r1 and of r2
    TABLE(real, schur, 8)   // e and n of r1; sw, se, nw, ne; e and n of r2
    TABLE(real, r1, 5)      // 1 / d, and the entries of L: sw, se, nw, ne
    OUT(real, sum)
    OUT(real, e)
    OUT(real, n)
UPDATE(k)
{
    uint right = k + 1u;
    uint above = k + pitch;
    uint across = k + pitch + 1u;
    precise real sum = excess(k, 1u);
    sum -= r1(k, 4u) * excess(k, 0u);
    sum -= r1(right, 3u) * excess(right, 0u);
    sum -= r1(above, 2u) * excess(above, 0u);
    sum -= r1(across, 1u) * excess(across, 0u);
    precise real east = schur(k, 6u);
    east -= r1(right, 3u) * schur(right, 5u);
    east -= r1(across, 1u) * schur(across, 3u);
    precise real north = schur(k, 7u);
    north -= r1(above, 2u) * schur(above, 5u);
    north -= r1(across, 1u) * schur(across, 4u);
    sum_new = sum;
    e_new = east;
    n_new = north;
}
