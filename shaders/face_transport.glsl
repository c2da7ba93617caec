// What a face inside carries along its normal, without the part of diffusion that is implicit: U u_f, less the cross
// diffusion -nu sum_j cross_j (t_j - t_0). Each cell's linear reconstruction at the face's centroid, u_c + g_c . (x_f - x_c),
// with g_c the gradient of the node values' interpolant, is the mean of the face's node values plus the cell's defect. u_f is
//   central (0)   the mean of both cells' reconstructions
//   upwind (1)    that of the cell upstream
//   blended (2)   u_up + psi (central - u_up), psi = 2 r between 0 and 1: central where the gradient upstream, r of the
//                 difference across the face, is at least half of it; the cell upstream alone where it turns.
// cells and nodes (vector or number), faces -> faces (vector or number)
KERNEL(face_transport)
    UNIFORM(uint, scheme)
    UNIFORM(real, nu)
    IN(uint, cell, 2)
    IN(uint, node, NODES_PER_FACE)
    IN(real, theta)                     // where the face cuts the line from one centre to the other
    IN(real, cross, TANGENTS_PER_FACE)
    IN(real, flux)                      // U_f, area included
    IN(quantity, u)
    IN(quantity, defect)
    IN(quantity, t)
VALUE(quantity, f)
{
    quantity first = t(node(f, 0u));
    precise quantity mean = first;
    precise quantity diffused = quantity(0);
    for (uint j = 0u; j < TANGENTS_PER_FACE; ++j) {
        quantity other = t(node(f, j + 1u));
        mean += other;
        diffused += (nu * cross(f, j)) * (other - first);
    }
    mean = mean / real(NODES_PER_FACE);
    precise quantity value = mean + (defect(cell(f, 0u)) + defect(cell(f, 1u))) / real(2);
    if (scheme != 0u) {
        bool forward = flux(f) >= real(0);
        uint up = cell(f, forward ? 0u : 1u);
        precise quantity upwind = mean + defect(up);
        if (scheme == 1u) {
            value = upwind;
        } else {
            precise quantity across = u(cell(f, forward ? 1u : 0u)) - u(up);
            precise real size = (forward ? theta(f) : real(1) - theta(f)) * dot(across, across);
            precise real along = real(2) * dot(upwind - u(up), across) - size;
            real psi = along <= real(0) ? real(0) : (real(2) * along >= size ? real(1) : real(2) * along / size);
            value = u(up) + psi * (value - u(up));
        }
    }
    precise quantity sum = flux(f) * value + diffused;
    return sum;
}
