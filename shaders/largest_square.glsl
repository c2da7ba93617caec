// Largest |u - v|^2 and |u|^2 of two vector fields.
KERNEL(largest_square)
    IN(vec, u)
    IN(vec, v)
    REDUCE(max, difference)
    REDUCE(max, size)
UPDATE(i)
{
    vec change = u(i) - v(i);
    difference = dot(change, change);
    size = dot(u(i), u(i));
}
