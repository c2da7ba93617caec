#include "flow/cell_stencil.hpp"

#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
CellStencil<Real>::CellStencil(Device& device, const DistributedMesh& mesh, const Geometry& geometry, const BoundaryFaces& boundary,
                               const KeptDirections& mirrored, Convection convection)
    : convection(convection) {
    const Mesh& m = mesh.mesh;
    const int d = m.dimension;
    const Index faces = mesh.range(Kind::face).shared, cells = mesh.range(Kind::cell).owned;
    const FaceCoefficients c = face_coefficients(mesh, geometry, boundary);
    face_cells = uploaded_table(device, c.cells, faces);
    face_nodes = uploaded_table(device, m.face_nodes, faces);
    cell_faces = uploaded_table(device, m.cell_faces, cells);
    cell_nodes = uploaded_table(device, m.cell_nodes, cells);
    theta = uploaded<Real>(device, c.theta);
    skew = uploaded<Real>(device, c.skew, d - 1);
    cross = uploaded<Real>(device, c.cross, d - 1);
    area = uploaded_vectors<Real>(device, geometry.face_area, faces, 1, d);
    volume = uploaded<Real>(device, {geometry.cell_volume.begin(), geometry.cell_volume.begin() + cells});
    const NodeWeights weights = node_weights(mesh, geometry, mirrored);
    node_cells = SlicedRows(device, weights.cells);
    node_weight = RowLayout(weights.cells, device.row_stride()).template upload<Real>(device, std::span<const double>(weights.weights));

    boundary_faces = uploaded(device, boundary.faces);
    Table inside(boundary.faces.size(), d + 1);
    for (std::size_t k = 0; k < boundary.faces.size(); ++k)
        for (int j = 0; j <= d; ++j) inside(k, j) = m.cell_nodes(boundary.cells[k], j);
    boundary_cell_nodes = uploaded_table(device, inside, boundary.faces.size());
    boundary_weight = uploaded<Real>(device, boundary_weights(mesh, geometry, boundary), d + 1);
}

template <class Real>
void recover_at_nodes(Device& device, Operators<Real>& operators, const CellStencil<Real>& stencil, const EntityRanges& nodes, Buffer<Real>& field,
                      Buffer<Real>& at_nodes) {
    const kernels::NodeInterpolation<Real> kernel{field.columns(), stencil.node_cells.rows, stencil.node_cells.index, stencil.node_weight, field, at_nodes};
    auto ghosts = operators.halo(Kind::cell, field.columns()).start(field);
    if (nodes.interior) kernel.run(device, nodes.inside());
    ghosts.finish();
    if (nodes.shared > nodes.interior) kernel.run(device, {nodes.interior, nodes.shared});
}

Convection convection_of(const std::string& name) {
    return name == "upwind" ? Convection::upwind : name == "blended" ? Convection::blended : Convection::central;
}

template struct CellStencil<float>;
template struct CellStencil<double>;
template void recover_at_nodes(Device&, Operators<float>&, const CellStencil<float>&, const EntityRanges&, Buffer<float>&, Buffer<float>&);
template void recover_at_nodes(Device&, Operators<double>&, const CellStencil<double>&, const EntityRanges&, Buffer<double>&, Buffer<double>&);

}  // namespace solenoid
