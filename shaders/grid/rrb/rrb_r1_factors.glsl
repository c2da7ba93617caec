// Of the r1-nodes of a level, after the couplings among them have been lumped into their centres:
// 1 / d, and c / d of their couplings with the four r2-nodes round each.   quarter -> quarter
KERNEL(rrb_r1_factors)
    IN(real, excess)       // the row's sum
    TABLE(real, schur, 8)  // e and n of r1; sw, se, nw, ne; e and n of r2
    OUT(real, inverse)
    OUT(real, south_west)
    OUT(real, south_east)
    OUT(real, north_west)
    OUT(real, north_east)
UPDATE(k)
{
    real sw = schur(k, 2u);
    real se = schur(k, 3u);
    real nw = schur(k, 4u);
    real ne = schur(k, 5u);
    precise real d = excess(k) - (sw + se) - (nw + ne);
    real size = abs(sw) + abs(se) + abs(nw) + abs(ne);
    precise real inverted = d == real(0) && size == real(0) ? real(0) : real(1) / d;
    inverse_new = inverted;
    south_west_new = sw * inverted;
    south_east_new = se * inverted;
    north_west_new = nw * inverted;
    north_east_new = ne * inverted;
}
