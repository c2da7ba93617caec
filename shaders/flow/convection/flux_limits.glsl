// By what part a cell may give, and take, of the fluxes `excess` so that its value, low without them, stays between least and
// greatest: (V (low - least) + trust times what enters) / (sum of what leaves), likewise above, 1 at most. With trust = 0 that holds whatever
// the other parts are (Zalesak 1979, equations 11 and 13), with 1 as they are now, by what is cut so far. Parts become less than 1 where a value is out
// of range, and stay so.   cells, faces -> cells
KERNEL(flux_limits)
    UNIFORM(real, least)
    UNIFORM(real, greatest)
    UNIFORM(real, margin)               // out of range is what exceeds it by more
    UNIFORM(real, trust)
    IN(uint, face, FACES_PER_CELL)      // oriented
    IN(real, size)                      // V
    IN(real, low)
    IN(real, value)
    IN(real, excess)
    IN(real, cut)                       // out of it
    INOUT(real, given)
    INOUT(real, taken)
    REDUCE(max, change)                 // of a part
UPDATE(c)
{
    precise real entering = real(0);
    precise real leaving = real(0);
    precise real still_entering = real(0);
    precise real still_leaving = real(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = entity_of(face(c, j));
        precise real outward = orientation_of(face(c, j)) * excess(f);
        precise real still = orientation_of(face(c, j)) * (excess(f) - cut(f));
        entering += max(-outward, real(0));
        leaving += max(outward, real(0));
        still_entering += max(-still, real(0));
        still_leaving += max(still, real(0));
    }
    precise real above = size(c) * max(greatest - low(c), real(0)) + trust * still_leaving;
    precise real below = size(c) * max(low(c) - least, real(0)) + trust * still_entering;
    real give = value(c) < least - margin && leaving > below ? min(below / leaving, given(c)) : given(c);
    real take = value(c) > greatest + margin && entering > above ? min(above / entering, taken(c)) : taken(c);
    change = max(given(c) - give, taken(c) - take);
    given_new = give;
    taken_new = take;
}
