#include "flow/momentum.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

Index lengthened_size(const DistributedMesh& mesh, const BoundaryFaces& boundary) {
    return mesh.range(Kind::cell).all + static_cast<Index>(boundary.faces.size());
}

template <class Real>
Buffer<Real> unit_vectors(Device& device, int d) {
    std::vector<double> identity(std::size_t(d) * d, 0.0);
    for (int k = 0; k < d; ++k) identity[k * d + k] = 1;
    return uploaded<Real>(device, identity, d);
}

}  // namespace

template <class Real>
Momentum<Real>::Momentum(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry,
                         const FlowBoundaries& boundaries, Operators<Real>& operators, double viscosity, const CgSettings& settings)
    : comm_(comm),
      device_(device),
      mesh_(mesh),
      d_(mesh.mesh.dimension),
      cells_(mesh.range(Kind::cell)),
      faces_(mesh.range(Kind::face)),
      nodes_(mesh.range(Kind::node)),
      boundaries_(boundaries),
      operators_(operators),
      viscosity_(viscosity),
      settings_(settings),
      lengthened_(lengthened_size(mesh, boundaries.faces())),
      volume_(geometry.cell_volume.begin(), geometry.cell_volume.begin() + cells_.owned),
      diffusion_(cell_diffusion(mesh, face_coefficients(mesh, geometry, boundaries.faces()), viscosity)),
      matrix_(comm, device, cells_, mesh.halo(Kind::cell), diffusion_.neighbours, diffusion_.weights),
      cg_(comm, device, matrix_),
      boundary_(comm, device, mesh, boundaries),
      unit_(unit_vectors<Real>(device, d_)) {
    put_coefficients(geometry, face_coefficients(mesh, geometry, boundaries.faces()));
    put_boundary(geometry);
    wall_ = device.buffer<Real>(cells_.all, d_);
    defect_ = lengthened();
    transport_ = device.buffer<Real>(faces_.all, d_);
    for (auto* field : {&x_, &b_, &inverse_, &discarded_}) *field = device.buffer<Real>(cells_.all);
    ones_ = uploaded<Real>(device, std::vector<double>(cells_.owned, 1.0));
}

template <class Real>
void Momentum<Real>::put_coefficients(const Geometry& geometry, const FaceCoefficients& c) {
    const Index n = faces_.shared;
    face_cells_ = uploaded_table(device_, c.cells, n);
    face_nodes_ = uploaded_table(device_, mesh_.mesh.face_nodes, n);
    cell_faces_ = uploaded_table(device_, mesh_.mesh.cell_faces, cells_.owned);
    cell_nodes_ = uploaded_table(device_, mesh_.mesh.cell_nodes, cells_.owned);
    theta_ = uploaded<Real>(device_, c.theta);
    skew_ = uploaded<Real>(device_, c.skew, d_ - 1);
    cross_ = uploaded<Real>(device_, c.cross, d_ - 1);
    area_ = uploaded_vectors<Real>(device_, geometry.face_area, n, 1, d_);
    const NodeWeights weights = node_weights(mesh_, geometry);
    node_cells_ = SlicedRows(device_, weights.cells);
    node_weight_ = RowLayout(weights.cells, device_.row_stride()).template upload<Real>(device_, std::span<const double>(weights.weights));
    for (const Index f : boundaries_.faces().faces) conduction_.push_back(viscosity_ * c.conduction[f]);
}

template <class Real>
void Momentum<Real>::put_boundary(const Geometry& geometry) {
    const BoundaryFaces& b = boundaries_.faces();
    boundary_transport_ = device_.buffer<Real>(static_cast<Index>(b.faces.size()), d_);
    boundary_weight_ = uploaded<Real>(device_, boundary_weights(mesh_, geometry, b), d_ + 1);
    Table inside(b.faces.size(), d_ + 1);
    for (std::size_t k = 0; k < b.faces.size(); ++k)
        for (int j = 0; j <= d_; ++j) inside(k, j) = mesh_.mesh.cell_nodes(b.cells[k], j);
    boundary_cell_nodes_ = uploaded_table(device_, inside, b.faces.size());
}

template <class Real>
bool Momentum<Real>::see(double time) {
    if (!boundary_.see(time)) return false;
    // What the boundary values diffuse into their cells: nu 2 A / d_n u_b, summed over a cell's boundary faces.
    const BoundaryFaces& b = boundaries_.faces();
    const std::size_t count = b.faces.size();
    std::vector<Real> values(std::size_t(cells_.all) * d_, Real(0));
    for (std::size_t k = 0; k < count; ++k) {
        if (b.cells[k] >= cells_.owned) continue;
        for (int j = 0; j < d_; ++j) values[std::size_t(j) * cells_.all + b.cells[k]] += static_cast<Real>(conduction_[k] * boundary_.face_velocity()[j * count + k]);
    }
    wall_.upload(values);
    return true;
}

template <class Real>
void Momentum<Real>::to_nodes(Buffer<Real>& field, Buffer<Real>& at_nodes) {
    const kernels::NodeInterpolation<Real> kernel{d_, node_cells_.rows, node_cells_.index, node_weight_, field, at_nodes};
    auto ghosts = operators_.halo(Kind::cell, d_).start(field);
    if (nodes_.interior) kernel.run(device_, nodes_.inside());
    ghosts.finish();
    if (nodes_.shared > nodes_.interior) kernel.run(device_, {nodes_.interior, nodes_.shared});
    boundary_.hold_at_nodes(at_nodes);
}

template <class Real>
void Momentum<Real>::to_faces(const Buffer<Real>& field, const Buffer<Real>& at_nodes, Buffer<Real>& flux) {
    kernels::FaceInterpolation<Real>{d_, face_cells_, face_nodes_, theta_, skew_, area_, field, at_nodes, flux}.run(device_, {0, faces_.shared});
}

template <class Real>
void Momentum<Real>::mean_to_faces(Buffer<Real>& field, Buffer<Real>& flux) {
    operators_.halo(Kind::cell, d_).exchange(field);
    kernels::FaceMeanFlux<Real>{d_, face_cells_, theta_, area_, field, flux}.run(device_, {0, faces_.shared});
}

template <class Real>
void Momentum<Real>::transport(Buffer<Real>& u, const Buffer<Real>& at_nodes, const Buffer<Real>& flux, Buffer<Real>& out) {
    kernels::CellDefect<Real>{d_, cell_nodes_, u, at_nodes, defect_}.run(device_, cells_.marked());
    operators_.halo(Kind::cell, d_).exchange(defect_);
    const auto nu = static_cast<Real>(viscosity_);
    kernels::FaceTransport<Real>{d_, face_cells_, face_nodes_, cross_, flux, defect_, at_nodes, transport_, nu}.run(device_, {0, faces_.shared});
    if (boundary_.faces().size()) {
        kernels::BoundaryTransport<Real>{d_, boundary_.faces(), boundary_cell_nodes_, boundary_weight_, flux, boundary_.face_values(), at_nodes, boundary_transport_, nu}
            .run(device_, {0, boundary_.faces().size()});
        device_.scatter(boundary_transport_, boundary_.faces(), transport_);
    }
    kernels::TransportSum<Real>{d_, cell_faces_, transport_, out}.run(device_, cells_.marked());
}

template <class Real>
void Momentum<Real>::set_shift(double shift) {
    if (shift == shift_) return;
    shift_ = shift;
    std::vector<Real> values(cells_.owned);
    for (Index c = 0; c < cells_.owned; ++c) values[c] = static_cast<Real>(shift * volume_[c] + diffusion_.to_boundary[c]);
    matrix_.shift().upload(values);
    kernels::StageDiagonal<Real>{ones_, matrix_.shift(), matrix_.diagonal(), ones_, discarded_, inverse_, Real(0)}.run(device_, cells_.marked());
}

template <class Real>
void Momentum<Real>::solve(double shift, const Buffer<Real>& rhs, Buffer<Real>& u, double when) {
    set_shift(shift);
    for (int k = 0; k < d_; ++k) {
        const auto component = static_cast<std::uint32_t>(k);
        kernels::Component<Real>{d_, unit_, rhs, b_, component}.run(device_, cells_.marked());
        kernels::Component<Real>{d_, unit_, u, x_, component}.run(device_, cells_.marked());
        const SolveReport report = cg_.solve(inverse_, b_, x_, settings_);
        solves_.add(report);
        comm_.agree([&] {
            if (!report.converged())
                throw ComputationError(fmt::format("momentum at t = {:.6g} s: {}; or take a smaller time.step", when, report.explanation()));
        });
        kernels::SetComponent<Real>{d_, unit_, x_, u, component}.run(device_, cells_.marked());
    }
}

template class Momentum<float>;
template class Momentum<double>;

}  // namespace solenoid
