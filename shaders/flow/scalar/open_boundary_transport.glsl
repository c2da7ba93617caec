// What a boundary face whose value is not given carries along its normal, for a list of them: U
// times the value reconstructed from the cell inside (the cell's own where fluid enters), and the
// diffusive flux that is given. faces, cells, nodes and list -> list
KERNEL(open_boundary_transport)
    // the normal as an orientation: reversed where it points inwards
    IN(uint, face, 1)
    IN(uint, cell, 1)  // the cell inside
    IN(uint, node, NODES_PER_FACE)
    GATHER(real, flux, faces, closure)  // U_f of all faces
    GATHER(real, u, cells, closure)
    GATHER(real, defect, cells, closure)
    GATHER(real, t, nodes, closure)
    IN(real, given)  // diffused into the domain through the face
VALUE(real, k)
{
    uint f = face(k, 0u);
    real outward = orientation_of(f) * flux(entity_of(f));
    precise real value = real(0);
    for (uint j = 0u; j < NODES_PER_FACE; ++j) value += t(node(k, j));
    value = value / real(NODES_PER_FACE) + defect(cell(k, 0u));
    if (outward < real(0)) value = u(cell(k, 0u));
    precise real carried = outward * value - given(k);
    return orientation_of(f) * carried;
}
