// The shape of a triangle, 4 sqrt(3) area / (sum of its sides' squares): 1 where its sides are
// equal, 0 where it has no area. Over all the least, and sums of areas and of the volumes between
// the triangles and the origin.   nodes -> triangles
KERNEL(surface_shape)
    IN(uint, corner, 3)
    GATHER(vec, x, nodes, closure)
    REDUCE(sum, area)
    REDUCE(sum, volume)
    REDUCE(min, least)
VALUE(real, t)
{
    vec a = x(corner(t, 0u));
    vec u = x(corner(t, 1u)) - a;
    vec w = x(corner(t, 2u)) - a;
    vec d = w - u;
    vec n = turned(u, w);
    real twice = sqrt(dot(n, n));
    real shape = quotient(sqrt(real(12)) * twice, dot(u, u) + dot(w, w) + dot(d, d));
    area = product(real(1) / real(2), twice);
    volume = product(real(1) / real(6), dot(a, n));
    least = shape;
    return shape;
}
