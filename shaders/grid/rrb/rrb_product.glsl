// q = S_1 p on the red nodes, S_1 the first Schur complement, and p . q; zero at ghosts. As sums of
// rows and differences of nodes: where p is smooth, S_1 p is small beside its terms.
// quarter -> quarter
KERNEL(rrb_product)
    UNIFORM(uint, pitch)
    UNIFORM(uint, width)
    TABLE(real, p, 2)       // of r1, of r2
    TABLE(real, excess, 2)  // the rows' sums, of r1, of r2
    TABLE(real, schur, 8)   // e and n of r1; sw, se, nw, ne; e and n of r2
    OUT(real, q1)
    OUT(real, q2)
    REDUCE(sum, pq)
UPDATE(k)
{
    uint column = k % pitch;
    uint right = k + 1u;
    uint above = k + pitch;
    uint across = k + pitch + 1u;
    real own_first = p(k, 0u);
    real own_second = p(k, 1u);
    precise real first = excess(k, 0u) * own_first;
    first += schur(k, 0u) * (p(right, 0u) - own_first);
    first += schur(k - 1u, 0u) * (p(k - 1u, 0u) - own_first);
    first += schur(k, 1u) * (p(above, 0u) - own_first);
    first += schur(k - pitch, 1u) * (p(k - pitch, 0u) - own_first);
    first += schur(k, 2u) * (p(k - pitch - 1u, 1u) - own_first);
    first += schur(k, 3u) * (p(k - pitch, 1u) - own_first);
    first += schur(k, 4u) * (p(k - 1u, 1u) - own_first);
    first += schur(k, 5u) * (own_second - own_first);
    precise real second = excess(k, 1u) * own_second;
    second += schur(k, 6u) * (p(right, 1u) - own_second);
    second += schur(k - 1u, 6u) * (p(k - 1u, 1u) - own_second);
    second += schur(k, 7u) * (p(above, 1u) - own_second);
    second += schur(k - pitch, 7u) * (p(k - pitch, 1u) - own_second);
    second += schur(k, 5u) * (own_first - own_second);
    second += schur(right, 4u) * (p(right, 0u) - own_second);
    second += schur(above, 3u) * (p(above, 0u) - own_second);
    second += schur(across, 2u) * (p(across, 0u) - own_second);
    bool is_inside = column >= 1u && column <= width;
    precise real kept_first = is_inside ? first : real(0);
    precise real kept_second = is_inside ? second : real(0);
    q1_new = kept_first;
    q2_new = kept_second;
    pq = add(product(own_first, kept_first), product(own_second, kept_second));
}
