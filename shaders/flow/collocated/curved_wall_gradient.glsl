// The pressure gradient G = A dp/dn that bends the flow along a curved wall, for a list of faces of
// it, by density and less the force:
//   G = A (u . S u - 2 nu div(S u)),   S = sum of k e e^T,
// the momentum equation across a wall where no shear acts; without div(S u) a part of it at others.
// cells with faces behind them and nodes (vector) -> list
KERNEL(curved_wall_gradient)
    IN(uint, entry, 1)  // of the face's velocity
    IN(uint, node, NODES_PER_FACE)
    IN(vec, direction, DIMENSION)  // e, orthonormal; the last one is zero
    IN(vec, bend, DIMENSION)       // k e
    // T_j: the gradient along the face of node j's linear function
    IN(vec, tangent, TANGENTS_PER_FACE)
    IN(real, area)      // A, negative where the face's normal enters the domain
    IN(real, distance)  // of the cell's centroid
    // nu A / distance, with the sign of A; 0 where a wall holds the fluid
    IN(real, conduction)
    GATHER(vec, u, cells, closure)
    GATHER(vec, t, nodes, closure)
VALUE(real, k)
{
    vec here = u(entry(k, 0u));
    vec first = t(node(k, 0u));
    precise real turning = real(0);
    precise real stretching = real(0);
    for (uint i = 0u; i < uint(DIMENSION); ++i) {
        turning += dot(bend(k, i), here) * dot(direction(k, i), here);
        for (uint j = 0u; j < TANGENTS_PER_FACE; ++j)
            stretching +=
                dot(bend(k, i), tangent(k, j)) * dot(direction(k, i), t(node(k, j + 1u)) - first);
    }
    return area(k) * turning - (real(2) * conduction(k) * distance(k)) * stretching;
}
