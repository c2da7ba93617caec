// A step of cyclic reduction in parallel (Hockney & Jesshope 1981) on lines of nodes, whose rows
// are c_k + lower c_(k + before) + upper c_(k + after) = right: those of the nodes before and after
// are taken from each, and couplings reach twice as far. A zero coupling has no node. nodes of a
// grid -> nodes of a grid
KERNEL(stencil_line_reduce)
    UNIFORM(uint, before)
    UNIFORM(uint, after)
    TABLE(real, lower)
    TABLE(real, upper)
    TABLE(real, right)
    OUT(real, next_lower)
    OUT(real, next_upper)
    OUT(real, next_right)
UPDATE(k)
{
    real low = lower(k);
    real up = upper(k);
    uint left = low == real(0) ? k : k + before;
    uint there = up == real(0) ? k : k + after;
    precise real centre = real(1) - low * upper(left);
    centre -= up * lower(there);
    precise real sum = right(k) - low * right(left);
    sum -= up * right(there);
    next_lower_new = -(low * lower(left)) / centre;
    next_upper_new = -(up * upper(there)) / centre;
    next_right_new = sum / centre;
}
