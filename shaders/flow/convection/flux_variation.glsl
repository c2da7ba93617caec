// How a velocity's flux through a face varies over it: A n . (t_i - t) at its nodes i, t the mean
// of them; sum 0. A component of the vector for each node. nodes (vector), faces -> faces (vector)
KERNEL(flux_variation)
    IN(uint, node, NODES_PER_FACE)
    IN(vec, area)  // A n
    GATHER(vec, t, nodes, closure)
VALUE(vec, f)
{
    vec value = vec(0);
    precise real mean = real(0);
    for (uint i = 0u; i < NODES_PER_FACE; ++i) {
        real normal = dot(area(f), t(node(f, i)));
        value = with_component(value, i, normal);
        mean += normal;
    }
    mean = mean / real(NODES_PER_FACE);
    return value - vec(mean);
}
