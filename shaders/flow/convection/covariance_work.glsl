// What a velocity v does at a node k of a cell, by one component of it, in the skew convection by a
// flux that varies over faces (w of flux_variation, outward; docs/numerics.md, "Fluxes that vary
// over faces"): over the faces at k
//   w_k (u_nb - u_c) / (2 d (d + 1)), at the boundary half of the integral of w (u - u_c) l_k,
// less the integral of (u - u_c) W . grad l_k over the cell, W the linear field whose normal
// components are w and l_k the node's linear function. A row for each node of each cell. What the
// cell's mean of v has of it is face_jumps'.   cells, nodes, faces (vector) -> rows (vector)
KERNEL(covariance_work)
    IN(uint, face, FACES_PER_CELL)  // oriented, of the cells
    IN(uint, face_node, NODES_PER_FACE)
    IN(uint, node, NODES_PER_CELL)
    IN(uint, neighbour, FACES_PER_CELL)  // the cell itself where there is none
    GATHER(vec, variation, faces, halo)
    GATHER(vec, u, cells, halo)
    GATHER(vec, t, nodes, halo)
VALUE(vec, r)
{
    uint c = r / NODES_PER_CELL;
    uint k = r - c * NODES_PER_CELL;
    uint own = node(c, k);
    precise vec mean = vec(0);
    for (uint j = 0u; j < NODES_PER_CELL; ++j) mean += t(node(c, j));
    mean = mean / real(NODES_PER_CELL);
    vec rise = t(own) - mean;
    real pairs = real(DIMENSION * (DIMENSION + 1));
    real triples = real(DIMENSION * (DIMENSION + 1) * (DIMENSION + 2));
    precise vec sum = vec(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) {
        uint f = entity_of(face(c, j));
        vec w = orientation_of(face(c, j)) * variation(f);
        real here = real(0);
        precise vec product = vec(0);
        for (uint i = 0u; i < NODES_PER_FACE; ++i) {
            uint n = face_node(f, i);
            real part = component_of(w, i);
            product += part * (t(n) - mean);
            if (n == own) here = part;
        }
        uint beyond = neighbour(c, j);
        if (j == k)
            sum += product / triples;
        else
            sum -= here / triples * rise;
        if (j != k && beyond != c) sum += here / (real(2) * pairs) * (u(beyond) - u(c));
        if (j != k && beyond == c)
            sum +=
                (product + here * (real(2) * rise - (t(node(c, j)) - mean))) / (real(2) * triples);
    }
    return sum;
}
