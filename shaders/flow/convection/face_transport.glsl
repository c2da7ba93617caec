// What a face inside carries along its normal, without the part of diffusion that is implicit: U
// u_f, less the explicit diffusion -nu [excess (u_b - u_a) + sum_j cross_j (t_j - t_0)]. Each
// cell's linear reconstruction at the face's centroid, u_c + g_c . (x_f - x_c), with g_c the
// gradient of the node values' interpolant, is the mean of the face's node values plus the cell's
// defect. u_f is the mean of both cells' reconstructions, or that of the cell upstream, whole or
// with its slope limited, between the cell and its reconstruction. cells and nodes (vector or
// number), faces -> faces (vector or number)
KERNEL(face_transport)
    UNIFORM(uint, upstream)  // 0: the mean; 1: the cell upstream
    UNIFORM(uint, limited)   // 1: that with its slope limited
    IN(uint, cell, 2)
    IN(uint, node, NODES_PER_FACE)
    IN(real, diffusion, DIMENSION)  // nu excess, nu cross_j
    IN(real, flux)                  // U_f, area included
    GATHER(quantity, u, cells, halo)
    GATHER(quantity, defect, cells, halo)
    GATHER(quantity, limit, cells, halo)  // of slope_limit, where limited
    GATHER(quantity, t, nodes, closure)
VALUE(quantity, f)
{
    quantity first = t(node(f, 0u));
    precise quantity mean = first;
    precise quantity diffused = diffusion(f, 0u) * (u(cell(f, 1u)) - u(cell(f, 0u)));
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j) {
        quantity other = t(node(f, j + 1u));
        mean += other;
        diffused += diffusion(f, j + 1u) * (other - first);
    }
    mean = mean / real(NODES_PER_FACE);
    precise quantity value = mean + (defect(cell(f, 0u)) + defect(cell(f, 1u))) / real(2);
    if (upstream != 0u) {
        uint up = flux(f) >= real(0) ? cell(f, 0u) : cell(f, 1u);
        value = mean + defect(up);
        if (limited != 0u) value = u(up) + limit(up) * (value - u(up));
    }
    precise quantity sum = flux(f) * value + diffused;
    return sum;
}
