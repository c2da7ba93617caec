// Net flux out of a node's dual cell: sum over its edges of +-Q_e.   edges -> nodes
KERNEL(dual_divergence)
    ROWS(edges)
    IN(uint, edge, edges)  // oriented: + where the edge leaves the node
    GATHER(real, flux, edges, halo)
VALUE(real, i)
{
    accumulator sum = wide(real(0));
    for (uint j = 0u; j < edges_count(i); ++j) {
        uint e = edge(i, j);
        sum = add(sum, wide(orientation_of(e) * flux(entity_of(e))));
    }
    return narrow(sum);
}
