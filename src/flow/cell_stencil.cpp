#include "flow/cell_stencil.hpp"

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "flow/implicit_part.hpp"
#include "device/upload.hpp"

namespace solenoid {
namespace {

constexpr double most_of_diffusion = 1.2;  // of implicit_factors(): what extrapolation from three states bears

}  // namespace

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
    oblique_ratio = oblique_ratios(mesh, geometry, weights);
    implicit_factor = implicit_factors(mesh, oblique_ratio, most_of_diffusion);
    std::vector<double> beyond(c.conduction);
    for (Index f = 0; f < faces; ++f) beyond[f] *= implicit_factor[f] - 1;
    excess = uploaded<Real>(device, beyond);
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
    const auto recover = [&](const auto& kernel) {
        auto ghosts = operators.halo(Kind::cell, field.columns()).start(field);
        if (nodes.interior) kernel.run(device, nodes.inside());
        ghosts.finish();
        if (nodes.shared > nodes.interior) kernel.run(device, {nodes.interior, nodes.shared});
    };
    const SlicedRows& cells = stencil.node_cells;
    if (field.columns() == 1) recover(kernels::ScalarNodeInterpolation<Real>{cells.rows, cells.index, stencil.node_weight, field, at_nodes});
    else recover(kernels::NodeInterpolation<Real>{field.columns(), cells.rows, cells.index, stencil.node_weight, field, at_nodes});
}

// The recovered value is a mean of values of cells, u_c = u_i - g_c . (x_i - x_c) + ..., where half of the slope's share
// makes it exact for parabolas, and g_c . (x_i - x_c) is the node's value less the mean of the cell's nodes.
template <class Real>
void bend_at_nodes(Device& device, Operators<Real>& operators, const CellStencil<Real>& stencil, const EntityRanges& cells, const EntityRanges& nodes,
                   const Buffer<Real>& field, Buffer<Real>& at_nodes) {
    const int columns = field.columns();
    auto defect = device.buffer<Real>(cells.all, columns), missing = device.buffer<Real>(at_nodes.size(), columns);
    if (columns == 1) kernels::ScalarCellDefect<Real>{stencil.cell_nodes.columns() - 1, stencil.cell_nodes, field, at_nodes, defect}.run(device, cells.marked());
    else kernels::CellDefect<Real>{columns, stencil.cell_nodes, field, at_nodes, defect}.run(device, cells.marked());
    recover_at_nodes(device, operators, stencil, nodes, defect, missing);
    Over(device, {0, nodes.shared})[at_nodes] += 0.5 * missing;
}

Convection convection_of(const std::string& name) {
    return name == "upwind" ? Convection::upwind : name == "blended" ? Convection::blended : name == "central" ? Convection::central : Convection::skew_symmetric;
}

template struct CellStencil<float>;
template struct CellStencil<double>;
template void recover_at_nodes(Device&, Operators<float>&, const CellStencil<float>&, const EntityRanges&, Buffer<float>&, Buffer<float>&);
template void recover_at_nodes(Device&, Operators<double>&, const CellStencil<double>&, const EntityRanges&, Buffer<double>&, Buffer<double>&);
template void bend_at_nodes(Device&, Operators<float>&, const CellStencil<float>&, const EntityRanges&, const EntityRanges&, const Buffer<float>&, Buffer<float>&);
template void bend_at_nodes(Device&, Operators<double>&, const CellStencil<double>&, const EntityRanges&, const EntityRanges&, const Buffer<double>&, Buffer<double>&);

}  // namespace solenoid
