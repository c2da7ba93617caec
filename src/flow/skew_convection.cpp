#include "flow/skew_convection.hpp"

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "flow/convection_correction.hpp"

namespace solenoid {
namespace {

// Through each face of each cell held; the cell itself where there is none.
Table neighbours(const Mesh& m) {
    Table result(m.cells(), m.dimension + 1);
    for (Index c = 0; c < m.cells(); ++c)
        for (int j = 0; j <= m.dimension; ++j) {
            const Index f = entity_of(m.cell_faces(c, j)), other = m.face_cells(f, 0) == c ? m.face_cells(f, 1) : m.face_cells(f, 0);
            result(c, j) = other == none ? c : other;
        }
    return result;
}

// The weights of each owned cell in the values of its nodes, zero where they are given: a column of NodeWeights.
std::vector<double> transposed_weights(const DistributedMesh& mesh, const Geometry& geometry, const FlowBoundaries& boundaries) {
    const Mesh& m = mesh.mesh;
    const NodeWeights weights = node_weights(mesh, geometry, boundaries.symmetry_nodes());
    std::vector<bool> given(m.nodes(), false);
    for (const Index i : boundaries.nodes()) given[i] = true;
    const Index owned = mesh.range(Kind::cell).owned;
    std::vector<double> result(std::size_t(owned) * (m.dimension + 1), 0.0);
    for (Index i = 0; i < mesh.range(Kind::node).shared; ++i)
        for (Index k = weights.cells.start[i]; k < weights.cells.start[i + 1] && !given[i]; ++k)
            if (const Index c = weights.cells.index[k]; c < owned) result[std::size_t(c) * (m.dimension + 1) + m.place_in_cell(c, i)] = weights.weights[k];
    return result;
}

Rows node_corners(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    Rows corners = cells_of(m, Kind::node);
    corners.start.resize(mesh.range(Kind::node).shared + 1);
    corners.index.resize(corners.start.back());
    for (Index i = 0; i < mesh.range(Kind::node).shared; ++i)
        for (Index k = corners.start[i]; k < corners.start[i + 1]; ++k) corners.index[k] = 4 * corners.index[k] + m.place_in_cell(corners.index[k], i);
    return corners;
}

// A row for each face of each cell held, as many columns as a cell has faces.
template <class Real>
Buffer<Real> uploaded_squares(Device& device, const std::vector<double>& values, int faces) {
    const std::size_t rows = values.size() / faces;
    std::vector<double> by_column(values.size());
    for (std::size_t i = 0; i < rows; ++i)
        for (int j = 0; j < faces; ++j) by_column[j * rows + i] = values[i * faces + j];
    return uploaded<Real>(device, by_column, faces);
}

}  // namespace

template <class Real>
SkewConvection<Real>::SkewConvection(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry, const FlowBoundaries& boundaries,
                                     const CellStencil<Real>& stencil, const BoundaryVelocity<Real>& boundary, Operators<Real>& operators, double jump_penalty)
    : device_(device),
      d_(mesh.mesh.dimension),
      cells_(mesh.range(Kind::cell)),
      faces_(mesh.range(Kind::face)),
      nodes_(mesh.range(Kind::node)),
      stencil_(stencil),
      boundary_(boundary),
      operators_(operators),
      jump_penalty_(jump_penalty),
      cell_face_(uploaded_table(device, mesh.mesh.cell_faces, cells_.all)),
      neighbour_(uploaded_table(device, neighbours(mesh.mesh), cells_.all)),
      corners_(device, node_corners(mesh)),
      jumps_(device.buffer<Real>(cells_.all, d_)),
      sharp_(device.buffer<Real>(cells_.all, d_)),
      rough_(device.buffer<Real>(cells_.all, d_)),
      penalty_(device.buffer<Real>(cells_.all, d_)),
      at_nodes_(device.buffer<Real>(nodes_.all, d_)) {
    const std::vector<double> transposed = transposed_weights(mesh, geometry, boundaries);
    weight_ = uploaded_squares<Real>(device, transposed, d_ + 1);
    gamma_ = uploaded_squares<Real>(device, convection_correction(comm, mesh, geometry, transposed).gamma, d_ + 1);
}

template <class Real>
void SkewConvection<Real>::to_faces(const Buffer<Real>& u, const Buffer<Real>& defect, const Buffer<Real>& at_nodes, Buffer<Real>& flux,
                                    const Buffer<Real>& conduction, Real viscosity, Buffer<Real>& transport) {
    operators_.halo(Kind::face).exchange(flux);
    kernels::SkewFaceTransport<Real>{d_, stencil_.face_cells, stencil_.face_nodes, stencil_.cross, conduction, cell_face_, neighbour_, gamma_, flux, u, defect, at_nodes, transport,
                                     cells_.all, viscosity}.run(device_, {0, faces_.shared});
}

template <class Real>
void SkewConvection<Real>::add_transposed(const Buffer<Real>& u, const Buffer<Real>& defect, const Buffer<Real>& flux, Buffer<Real>& brought) {
    sharpen(defect, sharp_);
    operators_.halo(Kind::cell, d_).exchange(sharp_);
    kernels::Roughness<Real>{d_, cell_face_, neighbour_, flux, sharp_, rough_, static_cast<Real>(jump_penalty_)}.run(device_, cells_.marked());
    operators_.halo(Kind::cell, d_).exchange(rough_);
    sharpen(rough_, penalty_);
    kernels::FaceJumps<Real>{d_, cell_face_, neighbour_, flux, u, penalty_, jumps_}.run(device_, cells_.marked());
    operators_.halo(Kind::cell, d_).exchange(jumps_);
    kernels::NodeJumps<Real>{d_, corners_.rows, corners_.index, cell_face_, neighbour_, flux, u, jumps_, at_nodes_}.run(device_, {0, nodes_.shared});
    boundary_.keep_free_part_at_nodes(at_nodes_);
    kernels::TransposedJumps<Real>{d_, stencil_.cell_nodes, weight_, at_nodes_, penalty_, brought}.run(device_, cells_.marked());
}

// S of a field whose ghosts are filled: cells less the mean of their nodes' means of the cells round them, none where
// velocities are given. S is symmetric, its eigenvalues lie in [0, 1].
template <class Real>
void SkewConvection<Real>::sharpen(const Buffer<Real>& field, Buffer<Real>& sharp) {
    kernels::NodeMean<Real>{d_, stencil_.node_cells.rows, stencil_.node_cells.index, field, at_nodes_}.run(device_, {0, nodes_.shared});
    boundary_.keep_free_part_at_nodes(at_nodes_);
    kernels::CellDefect<Real>{d_, stencil_.cell_nodes, field, at_nodes_, sharp}.run(device_, cells_.marked());
}

// Its sum over faces of penalty |U_f| [S D u]^2, by cells.
template <class Real>
double SkewConvection<Real>::penalty_power() const {
    return Over(device_, cells_.marked()).sum(dot(sharp_, rough_));
}

template class SkewConvection<float>;
template class SkewConvection<double>;

}  // namespace solenoid
