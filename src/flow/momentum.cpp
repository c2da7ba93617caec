#include "flow/momentum.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "flow/finite.hpp"

namespace solenoid {
namespace {

Index lengthened_size(const DistributedMesh& mesh, const BoundaryFaces& boundary) {
    return mesh.range(Kind::cell).all + static_cast<Index>(boundary.faces.size());
}

}  // namespace

template <class Real>
Momentum<Real>::Momentum(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry,
                         const FlowBoundaries& boundaries, Operators<Real>& operators, double viscosity, const MomentumConvection& convection,
                         const CgSettings& settings)
    : comm_(comm),
      device_(device),
      mesh_(mesh),
      geometry_(geometry),
      d_(mesh.mesh.dimension),
      cells_(mesh.range(Kind::cell)),
      faces_(mesh.range(Kind::face)),
      nodes_(mesh.range(Kind::node)),
      boundaries_(boundaries),
      operators_(operators),
      viscosity_(viscosity),
      settings_(settings),
      lengthened_(lengthened_size(mesh, boundaries.faces())),
      stencil_(device, mesh, geometry, boundaries.faces(), boundaries.symmetry_nodes(), convection.scheme),
      volume_(geometry.cell_volume.begin(), geometry.cell_volume.begin() + cells_.owned),
      diffusion_(cell_diffusion(mesh, face_coefficients(mesh, geometry, boundaries.faces()), boundaries.faces(), viscosity, stencil_.implicit_factor)),
      matrix_(comm, device, cells_, mesh.halo(Kind::cell), diffusion_.neighbours, diffusion_.weights),
      cg_(comm, device, matrix_),
      boundary_(comm, device, mesh, boundaries) {
    const FaceCoefficients c = face_coefficients(mesh, geometry, boundaries.faces());
    for (const Index f : boundaries.faces().faces) conduction_.push_back(viscosity * c.conduction[f]);
    boundary_transport_ = device.buffer<Real>(stencil_.boundary_faces.size(), d_);
    if (convection.scheme == Convection::blended) limiter_ = std::make_unique<SlopeLimiter<Real>>(device, mesh, boundaries, stencil_, operators, d_);
    if (convection.scheme == Convection::skew_symmetric)
        skew_ = std::make_unique<SkewConvection<Real>>(comm, device, mesh, geometry, boundaries, stencil_, boundary_, operators, convection.jump_penalty);
    wall_ = device.buffer<Real>(cells_.all, d_);
    defect_ = lengthened();
    transport_ = device.buffer<Real>(faces_.all, d_);
    for (auto* field : {&x_, &b_, &residual_, &change_}) *field = device.buffer<Real>(cells_.all);
    for (int k = 0; k < (boundaries.has_symmetry() ? d_ : 1); ++k) {
        shift_of_.push_back(device.buffer<Real>(cells_.owned));
        inverse_.push_back(device.buffer<Real>(cells_.all));
        diffusion_preconditioner_of_.push_back(std::make_unique<DiffusionPreconditioner<Real>>(comm, device, cells_, mesh.halo(Kind::cell), diffusion_.neighbours,
                                                                                               diffusion_.weights, std::vector<Index>{}, settings));
        preconditioner_of_.push_back(nullptr);
    }
    put_symmetry(c);
}

template <class Real>
void Momentum<Real>::put_symmetry(const FaceCoefficients& c) {
    const BoundaryFaces& b = boundaries_.faces();
    const KeptDirections& free = boundaries_.free_faces();
    std::vector<Index> faces, cells;
    std::vector<double> conduction;
    std::vector<Vec3> spared;
    for (std::size_t i = 0; i < free.entities.size(); ++i) {
        const Index k = free.entities[i];
        if (!boundaries_.condition(k).slips()) continue;
        faces.push_back(b.faces[k]);
        cells.push_back(b.cells[k]);
        conduction.push_back(b.outward[k] * c.conduction[b.faces[k]]);
        for (int j = 0; j < d_; ++j) spared.push_back(boundaries_.spared()[i * d_ + j]);
    }
    symmetry_ = {uploaded(device_, faces), uploaded(device_, cells), uploaded<Real>(device_, conduction), uploaded_vectors<Real>(device_, spared, faces.size(), d_, d_), {}};
    symmetry_.transport = device_.buffer<Real>(symmetry_.face.size(), d_);
}

template <class Real>
bool Momentum<Real>::see(double time) {
    if (!boundary_.see(time)) return false;
    // What the boundary values diffuse into their cells: nu c A / d_n u_b, summed over a cell's boundary faces.
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
    recover_at_nodes(device_, operators_, stencil_, nodes_, field, at_nodes);
    boundary_.hold_at_nodes(at_nodes);
}

template <class Real>
void Momentum<Real>::to_nodes_for_output(Buffer<Real>& field, Buffer<Real>& at_nodes) {
    to_nodes(field, at_nodes);
    if (!is_bent(stencil_.convection)) return;
    bend_at_nodes(device_, operators_, stencil_, cells_, nodes_, field, at_nodes);
    boundary_.hold_at_nodes(at_nodes);
}

template <class Real>
void Momentum<Real>::to_faces(const Buffer<Real>& field, const Buffer<Real>& at_nodes, Buffer<Real>& flux) {
    kernels::FaceInterpolation<Real>{d_, stencil_.face_cells, stencil_.face_nodes, stencil_.theta, stencil_.skew, stencil_.area, field, at_nodes, flux}.run(device_, {0, faces_.shared});
}

template <class Real>
void Momentum<Real>::mean_to_faces(Buffer<Real>& field, Buffer<Real>& flux) {
    operators_.halo(Kind::cell, d_).exchange(field);
    kernels::FaceMeanFlux<Real>{d_, stencil_.face_cells, stencil_.theta, stencil_.area, field, flux}.run(device_, {0, faces_.shared});
}

template <class Real>
void Momentum<Real>::transport(Buffer<Real>& u, const Buffer<Real>& at_nodes, Buffer<Real>& flux, Buffer<Real>& out) {
    transport_with(u, at_nodes, flux, stencil_.excess, out);
}

template <class Real>
void Momentum<Real>::transport_whole(Buffer<Real>& u, const Buffer<Real>& at_nodes, Buffer<Real>& flux, Buffer<Real>& out) {
    if (!whole_) {
        std::vector<double> conduction = face_coefficients(mesh_, geometry_, boundaries_.faces()).conduction;
        for (double& c : conduction) c = -c;
        whole_ = uploaded<Real>(device_, conduction);
    }
    transport_with(u, at_nodes, flux, whole_, out);
}

template <class Real>
void Momentum<Real>::take_differences(bool are_differences) {
    are_differences_ = are_differences;
    boundary_.take_differences(are_differences);
}

// conduction: between two cells, added to what is carried along the normal.
template <class Real>
void Momentum<Real>::transport_with(Buffer<Real>& u, const Buffer<Real>& at_nodes, Buffer<Real>& flux, const Buffer<Real>& conduction, Buffer<Real>& out) {
    kernels::CellDefect<Real>{d_, stencil_.cell_nodes, u, at_nodes, defect_}.run(device_, cells_.marked());
    operators_.halo(Kind::cell, d_).exchange(defect_);
    const auto nu = static_cast<Real>(viscosity_);
    if (skew_) {
        skew_->to_faces(u, defect_, at_nodes, flux, conduction, nu, transport_);
    } else {
        const Buffer<Real>& limit = !limiter_ ? defect_ : are_differences_ ? limiter_->last() : limiter_->limits(u, at_nodes);
        kernels::FaceTransport<Real>{d_, stencil_.face_cells, stencil_.face_nodes, stencil_.cross, conduction, flux, u, defect_, limit, at_nodes, transport_,
                                     static_cast<std::uint32_t>(stencil_.convection), nu}.run(device_, {0, faces_.shared});
    }
    bring(u, at_nodes, flux, out);
    if (skew_) skew_->add_transposed(u, defect_, flux, out);
}

// From what the faces inside carry, and boundary faces.
template <class Real>
void Momentum<Real>::bring(const Buffer<Real>& u, const Buffer<Real>& at_nodes, const Buffer<Real>& flux, Buffer<Real>& out) {
    const auto nu = static_cast<Real>(viscosity_);
    const Buffer<Real>& carried = boundary_.carried(u, flux);
    if (stencil_.boundary_faces.size()) {
        kernels::BoundaryTransport<Real>{d_, stencil_.boundary_faces, stencil_.boundary_cell_nodes, stencil_.boundary_weight, flux,
                                         carried, at_nodes, boundary_transport_, nu}
            .run(device_, {0, stencil_.boundary_faces.size()});
        device_.scatter(boundary_transport_, stencil_.boundary_faces, transport_);
    }
    if (symmetry_.face.size()) {
        kernels::SparedDrag<Real>{d_, symmetry_.cell, symmetry_.conduction, symmetry_.spared, u, symmetry_.transport, nu}.run(device_, {0, symmetry_.face.size()});
        device_.scatter(symmetry_.transport, symmetry_.face, transport_);
    }
    kernels::TransportSum<Real>{d_, stencil_.cell_faces, transport_, out}.run(device_, cells_.marked());
}

// The transport of central convection without a flux.
template <class Real>
void Momentum<Real>::explicit_diffusion(const Buffer<Real>& u, const Buffer<Real>& at_nodes, Buffer<Real>& out) {
    if (!no_flux_) no_flux_ = device_.buffer<Real>(faces_.all);
    kernels::FaceTransport<Real>{d_, stencil_.face_cells, stencil_.face_nodes, stencil_.cross, stencil_.excess, no_flux_, u, defect_, defect_, at_nodes, transport_,
                                 static_cast<std::uint32_t>(Convection::central), static_cast<Real>(viscosity_)}.run(device_, {0, faces_.shared});
    bring(u, at_nodes, no_flux_, out);
}

// Of the momentum's matrix what is no difference of cells.
template <class Real>
std::vector<double> Momentum<Real>::diagonal(double shift, std::size_t component) const {
    const BoundaryFaces& b = boundaries_.faces();
    std::vector<double> values(diffusion_.to_boundary);
    for (Index c = 0; c < cells_.owned; ++c) values[c] += shift * volume_[c];
    for (std::size_t k = 0; k < b.faces.size(); ++k)
        if (b.cells[k] < cells_.owned) values[b.cells[k]] += conduction_[k] * boundaries_.implicit_drag(k)[static_cast<int>(component)];
    return values;
}

template <class Real>
void Momentum<Real>::implicit_diffusion(const Buffer<Real>& u, Buffer<Real>& out) {
    for (std::size_t i = drag_of_.size(); i < shift_of_.size(); ++i) drag_of_.push_back(uploaded<Real>(device_, diagonal(0, i)));
    const Over cells(device_, cells_.marked());
    cells[b_] = 0;
    for (int k = 0; k < d_; ++k) {
        cells[x_] = column(u, k);
        matrix_.residual_everywhere(drag_of_[drag_of_.size() > 1 ? k : 0], b_, x_, residual_);
        cells[column(out, k)] = residual_;
    }
}

template <class Real>
void Momentum<Real>::set_shift(double shift) {
    if (shift == shift_) return;
    shift_ = shift;
    solves_.preconditioner = {};
    const Over cells(device_, cells_.marked());
    for (std::size_t i = 0; i < shift_of_.size(); ++i) {
        const std::vector<double> values = diagonal(shift, i);
        shift_of_[i].upload(std::vector<Real>(values.begin(), values.end()));
        const auto whole = shift_of_[i] + matrix_.diagonal();
        if (settings_.preconditioner == "none") cells[inverse_[i]] = 1;
        else cells[inverse_[i]] = where(whole > 0, 1 / whole, 0);
        preconditioner_of_[i] = &diffusion_preconditioner_of_[i]->prepare(values, inverse_[i]);
        const PreconditionerSummary one = diffusion_preconditioner_of_[i]->summary();
        solves_.preconditioner = {solves_.preconditioner.setup_seconds + one.setup_seconds, one.levels};
    }
    device_.copy(shift_of_[0], matrix_.shift());
}

template <class Real>
typename Momentum<Real>::Component Momentum<Real>::component(double shift, int k) {
    set_shift(shift);
    const std::size_t i = shift_of_.size() > 1 ? k : 0;
    return {shift_of_[i], *preconditioner_of_[i]};
}

template <class Real>
double Momentum<Real>::diffusion_rate() const {
    const std::vector<Real> inside = matrix_.diagonal().download();
    double largest = 0;
    for (Index c = 0; c < cells_.owned; ++c) largest = std::max(largest, (inside[c] + diffusion_.to_boundary[c]) / volume_[c]);
    return comm_.max(largest);
}

template <class Real>
void Momentum<Real>::solve(double shift, const Buffer<Real>& rhs, Buffer<Real>& u, double when) {
    set_shift(shift);
    const Over cells(device_, cells_.marked());
    for (int k = 0; k < d_; ++k) {
        cells[b_] = column(rhs, k);
        cells[x_] = column(u, k);
        if (shift_of_.size() > 1) device_.copy(shift_of_[k], matrix_.shift());
        matrix_.residual(b_, x_, residual_);
        Over(device_, {0, cells_.all})[change_] = 0;
        const SolveReport report = cg_.solve(*preconditioner_of_[shift_of_.size() > 1 ? k : 0], residual_, change_, settings_);
        cells[x_] += change_;
        solves_.add(report);
        if (report.outcome == SolveOutcome::broken_down) check_finite(comm_, mesh_, geometry_, rhs, "what is carried of the velocity", when);
        comm_.agree([&] {
            if (!report.converged())
                throw ComputationError(fmt::format("momentum at t = {:.6g} s: {}; or take a smaller time.step", when, report.explanation("momentum")));
        });
        cells[column(u, k)] = x_;
    }
}

template class Momentum<float>;
template class Momentum<double>;

}  // namespace solenoid
