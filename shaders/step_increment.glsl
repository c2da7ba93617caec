// What passes in one step of BDF2, by what passed in the last one, i, and by the rates n1 and n2 of the last two states:
// i = c i + e1 n1 + e2 n2.   faces or cells
KERNEL(step_increment)
    UNIFORM(real, c)
    UNIFORM(real, e1)
    UNIFORM(real, e2)
    IN(real, n1)
    IN(real, n2)
    INOUT(real, increment)
UPDATE(i)
{
    precise real sum = c * increment(i) + (e1 * n1(i) + e2 * n2(i));
    increment_new = sum;
}
