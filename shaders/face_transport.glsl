// What a face inside carries along its normal, without the part of diffusion that is implicit: U u_f, less the cross
// diffusion -nu sum_j cross_j (t_j - t_0). u_f is the mean of both cells' linear reconstructions at the face's centroid,
// u_c + g_c . (x_f - x_c), with g_c the gradient of the node values' interpolant: the mean of the face's node values and
// of the two cells' defects.   cells and nodes (vector or number), faces -> faces (vector or number)
KERNEL(face_transport)
    UNIFORM(real, nu)
    IN(uint, cell, 2)
    IN(uint, node, NODES_PER_FACE)
    IN(real, cross, TANGENTS_PER_FACE)
    IN(real, flux)                      // U_f, area included
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
    quantity value = mean / real(NODES_PER_FACE) + (defect(cell(f, 0u)) + defect(cell(f, 1u))) / real(2);
    precise quantity sum = flux(f) * value + diffused;
    return sum;
}
