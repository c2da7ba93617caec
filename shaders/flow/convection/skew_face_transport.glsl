// What a face inside carries along its normal by the skew-symmetric convection, less explicit
// diffusion as face_transport:
//   U (u_a + u_b) / 2 + U d_f / 2 + cov(w, u) + k_a - k_b,
//   d_f = face_transport's central value less (u_a + u_b) / 2,
//   cov(w, u) = sum over the face's nodes of w_i t_i / (d (d + 1)),
//   k_n = 1/2 sum over the other faces g of n of (gamma_fg U_f - gamma_gf U_g) (u_nb(g) - u_n),
//   U outward from n.
// k is skew by itself; the second half of d_f's skew part is transposed_jumps'.   cells, nodes
// (vector), faces -> faces (vector)
KERNEL(skew_face_transport)
    UNIFORM(uint, cells)  // beyond them are boundary faces' values
    IN(uint, cell, 2)
    IN(uint, node, NODES_PER_FACE)
    IN(real, diffusion, DIMENSION)       // nu excess, nu cross_j
    IN(uint, cell_face, FACES_PER_CELL)  // oriented
    IN(uint, neighbour, FACES_PER_CELL)  // through that face; the cell itself where there is none
    TABLE(real, gamma, FACES_PER_CELL)   // a row for each face of each cell
    GATHER(real, flux, faces, halo)      // U_f, area included, of all faces held
    IN(vec, variation)                   // w, of flux_variation
    GATHER(vec, u, cells, halo)
    GATHER(vec, defect, cells, halo)
    GATHER(vec, t, nodes, closure)
VALUE(vec, f)
{
    vec first = t(node(f, 0u));
    precise vec mean = first;
    precise vec sum = diffusion(f, 0u) * (u(cell(f, 1u)) - u(cell(f, 0u)));
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j) {
        vec other = t(node(f, j + 1u));
        mean += other;
        sum += diffusion(f, j + 1u) * (other - first);
    }
    mean = mean / real(NODES_PER_FACE);
    precise vec value = mean + (defect(cell(f, 0u)) + defect(cell(f, 1u))) / real(2);
    value = value / real(2) + (u(cell(f, 0u)) + u(cell(f, 1u))) / real(4);
    sum += flux(f) * value;
    precise vec covariance = vec(0);
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j)
        covariance += component_of(variation(f), j + 1u) * (t(node(f, j + 1u)) - first);
    sum += covariance / real(DIMENSION * (DIMENSION + 1));
    for (uint side = 0u; side < 2u; ++side) {
        uint n = cell(f, side);
        if (n >= cells) continue;
        uint own = 0u;
        for (uint j = 1u; j < FACES_PER_CELL; ++j)
            if (entity_of(cell_face(n, j)) == f) own = j;
        real through = orientation_of(cell_face(n, own)) * flux(f);
        precise vec kept = vec(0);
        for (uint j = 0u; j < FACES_PER_CELL; ++j) {
            if (j == own) continue;
            real beside = orientation_of(cell_face(n, j)) * flux(entity_of(cell_face(n, j)));
            precise real part = gamma(n * FACES_PER_CELL + own, j) * through -
                                gamma(n * FACES_PER_CELL + j, own) * beside;
            kept += part * (u(neighbour(n, j)) - u(n));
        }
        sum += (side == 0u ? real(1) / real(2) : real(-1) / real(2)) * kept;
    }
    return sum;
}
