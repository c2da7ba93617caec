// Every kind of output at once: a vec and a number in place, a number and a tag new, and reductions
// of them.
KERNEL(probe_update)
    UNIFORM(real, a)
    IN(real, x)
    INOUT(vec, u)
    INOUT(real, y)
    OUT(uint, tag)
    REDUCE(sum, yy)
    REDUCE(max, greatest)
UPDATE(i)
{
    precise real next = y(i) + a * x(i);
    precise vec moved = u(i) + next * u(i);
    u_new = moved;
    y_new = next;
    tag_new = i ^ 5u;
    yy = product(next, next);
    greatest = next;
}
