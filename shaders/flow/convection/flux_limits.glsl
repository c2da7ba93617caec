// By what part a cell may give, and take, of the fluxes `excess` so that its value, low without
// them, stays between least and greatest whatever the other parts are: (V (low - least)) / (sum of
// what leaves), likewise above, 1 at most (Zalesak 1979, equations 11 and 13). Parts become less
// than 1 where a value is out of range, and stay so.   cells, faces -> cells
KERNEL(flux_limits)
    UNIFORM(real, least)
    UNIFORM(real, greatest)
    UNIFORM(real, margin)           // out of range is what exceeds it by more
    IN(uint, face, FACES_PER_CELL)  // oriented
    IN(real, size)                  // V
    IN(real, low)
    IN(real, value)
    GATHER(real, excess, faces, closure)
    INOUT(real, given)
    INOUT(real, taken)
    REDUCE(max, change)  // of a part
UPDATE(c)
{
    precise real entering = real(0);
    precise real leaving = real(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        precise real outward = orientation_of(face(c, j)) * excess(entity_of(face(c, j)));
        entering += max(-outward, real(0));
        leaving += max(outward, real(0));
    }
    precise real above = size(c) * max(greatest - low(c), real(0));
    precise real below = size(c) * max(low(c) - least, real(0));
    real give = value(c) < least - margin && leaving > below ? below / leaving : given(c);
    real take = value(c) > greatest + margin && entering > above ? above / entering : taken(c);
    change = max(given(c) - give, taken(c) - take);
    given_new = give;
    taken_new = take;
}
