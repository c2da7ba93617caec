#include "flow/scalar_transport.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/finite.hpp"

namespace solenoid {
namespace {

// Boundary faces conduct a scalar only where its value is given, whatever the flow does there.
BoundaryFaces conducting(const FlowBoundaries& flow, const ScalarBoundaries& boundaries) {
    BoundaryFaces faces = flow.faces();
    std::fill(faces.grip.begin(), faces.grip.end(), 0.0);
    for (const Index k : boundaries.given()) faces.grip[k] = 2;
    return faces;
}

}  // namespace

template <class Real>
ScalarTransport<Real>::ScalarTransport(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry, const FlowBoundaries& flow,
                                       const CellStencil<Real>& stencil, Operators<Real>& operators, const ScalarSettings& settings, const CgSettings& solver)
    : comm_(comm),
      device_(device),
      mesh_(mesh),
      geometry_(geometry),
      flow_(flow),
      stencil_(stencil),
      operators_(operators),
      settings_(settings),
      solver_(solver),
      d_(mesh.mesh.dimension),
      cells_(mesh.range(Kind::cell)),
      faces_(mesh.range(Kind::face)),
      nodes_(mesh.range(Kind::node)),
      boundaries_(comm, mesh, geometry, flow, settings.name),
      boundary_(conducting(flow, boundaries_)),
      coefficients_(face_coefficients(mesh, geometry, boundary_)),
      diffusion_(cell_diffusion(mesh, coefficients_, boundary_, settings.diffusivity)),
      matrix_(comm, device, cells_, mesh.halo(Kind::cell), diffusion_.neighbours, diffusion_.weights),
      diffusion_preconditioner_(comm, device, cells_, mesh.halo(Kind::cell), diffusion_.neighbours, diffusion_.weights, {}, solver),
      cg_(comm, device, matrix_) {
    put_boundary(geometry);
    if (stencil.convection == Convection::blended) limiter_ = std::make_unique<SlopeLimiter<Real>>(device, mesh, flow, stencil, operators, 1);
    const Index lengthened = cells_.all + static_cast<Index>(flow.faces().faces.size());
    for (auto* field : {&now_, &before_, &undone_, &defect_}) *field = device.buffer<Real>(lengthened);
    for (auto* field : {&n_now_, &n_before_, &rhs_, &wall_, &zero_, &inverse_, &discarded_, &source_, &residual_, &change_}) *field = device.buffer<Real>(cells_.all);
    ones_ = uploaded<Real>(device, std::vector<double>(cells_.owned, 1.0));
    at_nodes_ = device.buffer<Real>(nodes_.all);
    transport_ = device.buffer<Real>(faces_.all);
    std::vector<Real> initial(lengthened, Real(0));
    comm.agree([&] {
        for (Index c = 0; c < cells_.owned; ++c) initial[c] = static_cast<Real>(settings.initial.finite_value(geometry.cell_centroid[c], 0));
    });
    now_.upload(initial);
    before_.upload(initial);
    has_source_ = !(settings.source.is_constant() && settings.source(Vec3(0)) == 0);
    see(0);
}

template <class Real>
typename ScalarTransport<Real>::FaceList ScalarTransport<Real>::list(Device& device, const std::vector<Index>& places, bool with_cell_nodes) const {
    const Mesh& m = mesh_.mesh;
    const BoundaryFaces& b = flow_.faces();
    std::vector<Index> faces, oriented, cells;
    Table nodes(places.size(), with_cell_nodes ? d_ + 1 : d_);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Index f = b.faces[places[i]], c = b.cells[places[i]];
        faces.push_back(f);
        oriented.push_back(b.outward[places[i]] > 0 ? f : f | reversed);
        cells.push_back(c);
        for (int j = 0; j < nodes.width; ++j) nodes(i, j) = with_cell_nodes ? m.cell_nodes(c, j) : m.face_nodes(f, j);
    }
    FaceList result{uploaded(device, faces), uploaded(device, oriented), uploaded(device, cells), uploaded_table(device, nodes, places.size()), {}, {}};
    result.value = device.buffer<Real>(result.face.size());
    result.carried = device.buffer<Real>(result.face.size());
    return result;
}

template <class Real>
void ScalarTransport<Real>::put_boundary(const Geometry& geometry) {
    given_ = list(device_, boundaries_.given(), true);
    open_ = list(device_, boundaries_.open(), false);
    const BoundaryFaces& b = boundary_;
    const std::vector<double> all = boundary_weights(mesh_, geometry, b);
    const std::size_t count = boundaries_.given().size();
    std::vector<double> weights(count * (d_ + 1));
    for (std::size_t i = 0; i < count; ++i) {
        const Index k = boundaries_.given()[i];
        for (int j = 0; j <= d_; ++j) weights[j * count + i] = all[j * b.faces.size() + k];
        conducted_.push_back(settings_.diffusivity * coefficients_.conduction[b.faces[k]]);
    }
    weight_ = uploaded<Real>(device_, weights, d_ + 1);
    conduction_ = uploaded<Real>(device_, conducted_);
    node_entry_ = uploaded(device_, boundaries_.nodes());
    node_value_ = device_.buffer<Real>(node_entry_.size());
}

// The boundary's values at a time, and what they diffuse into their cells.
template <class Real>
void ScalarTransport<Real>::see(double time) {
    if (is_seen_ && (!boundaries_.depends_on_time() || time == seen_)) return;
    is_seen_ = true;
    seen_ = time;
    std::vector<double> at_faces, at_nodes, diffused;
    comm_.agree([&] {
        at_faces = boundaries_.face_values(time);
        at_nodes = boundaries_.node_values(time);
        diffused = boundaries_.diffused_in(time);
    });
    given_.value.upload(std::vector<Real>(at_faces.begin(), at_faces.end()));
    open_.value.upload(std::vector<Real>(diffused.begin(), diffused.end()));
    node_value_.upload(std::vector<Real>(at_nodes.begin(), at_nodes.end()));
    std::vector<Real> wall(cells_.all, Real(0));
    for (std::size_t i = 0; i < at_faces.size(); ++i) wall[flow_.faces().cells[boundaries_.given()[i]]] += static_cast<Real>(conducted_[i] * at_faces[i]);
    wall_.upload(wall);
}

template <class Real>
void ScalarTransport<Real>::to_nodes() {
    recover_at_nodes(device_, operators_, stencil_, nodes_, now_, at_nodes_);
    if (node_entry_.size()) device_.scatter(node_value_, node_entry_, at_nodes_);
}

// n_now = what the flow carries into the cells and explicit diffusion brings.
template <class Real>
void ScalarTransport<Real>::transport(const Buffer<Real>& flux) {
    const auto nu = static_cast<Real>(settings_.diffusivity);
    to_nodes();
    kernels::ScalarCellDefect<Real>{d_, stencil_.cell_nodes, now_, at_nodes_, defect_}.run(device_, cells_.marked());
    operators_.halo(Kind::cell).exchange(defect_);
    const Buffer<Real>& limit = limiter_ ? limiter_->limits(now_, at_nodes_) : defect_;
    kernels::ScalarFaceTransport<Real>{d_, stencil_.face_cells, stencil_.face_nodes, stencil_.cross, flux, now_, defect_, limit, at_nodes_, transport_,
                                       static_cast<std::uint32_t>(stencil_.convection), nu}.run(device_, {0, faces_.shared});
    if (given_.face.size()) {
        kernels::ScalarBoundaryTransport<Real>{d_, given_.face, given_.node, weight_, flux, given_.value, at_nodes_, given_.carried, nu}.run(device_, {0, given_.face.size()});
        device_.scatter(given_.carried, given_.face, transport_);
    }
    if (open_.face.size()) {
        kernels::OpenBoundaryTransport<Real>{d_, open_.oriented, open_.cell, open_.node, flux, now_, defect_, at_nodes_, open_.value, open_.carried}.run(device_, {0, open_.face.size()});
        device_.scatter(open_.carried, open_.face, transport_);
    }
    kernels::ScalarTransportSum<Real>{d_, stencil_.cell_faces, transport_, n_now_}.run(device_, cells_.marked());
}

template <class Real>
void ScalarTransport<Real>::set_shift(double shift) {
    if (shift == shift_) return;
    shift_ = shift;
    std::vector<double> values(cells_.owned);
    for (Index c = 0; c < cells_.owned; ++c) values[c] = shift * geometry_.cell_volume[c] + diffusion_.to_boundary[c];
    matrix_.shift().upload(std::vector<Real>(values.begin(), values.end()));
    kernels::StageDiagonal<Real>{ones_, matrix_.shift(), matrix_.diagonal(), ones_, discarded_, inverse_, Real(0)}.run(device_, cells_.marked());
    preconditioner_ = &diffusion_preconditioner_.prepare(values, solver_.preconditioner == "none" ? ones_ : inverse_);
    solves_.preconditioner = diffusion_preconditioner_.summary();
}

// The source at the end of the step, times the volume, into wall_'s place in the right-hand side.
template <class Real>
void ScalarTransport<Real>::add_source(double when) {
    std::vector<Real> values(cells_.all, Real(0));
    comm_.agree([&] {
        for (Index c = 0; c < cells_.owned; ++c) values[c] = static_cast<Real>(geometry_.cell_volume[c] * settings_.source.finite_value(geometry_.cell_centroid[c], when));
    });
    source_.upload(values);
    kernels::Axpy<Real>{source_, rhs_, Real(1)}.run(device_, cells_.marked());
}

template <class Real>
void ScalarTransport<Real>::advance(const Buffer<Real>& flux, double time, double dt, double w) {
    const double a = (1 + 2 * w) / (1 + w), when = time + dt;
    see(time);
    transport(flux);
    see(when);
    kernels::ScalarBdf2Rhs<Real>{stencil_.volume, now_, before_, zero_, n_now_, n_before_, wall_, rhs_, static_cast<Real>((1 + w) / dt),
                                     static_cast<Real>(-w * w / (1 + w) / dt), static_cast<Real>(1 + w), static_cast<Real>(-w)}.run(device_, cells_.marked());
    if (has_source_) add_source(when);
    set_shift(a / dt);
    device_.copy(before_, undone_);
    device_.copy(now_, before_);
    solve(when);
    device_.copy(n_now_, n_before_);
    const double square = cells_.owned ? kernels::Dot<Real>{now_, now_}.run(device_, cells_.marked()).xy : 0;
    if (comm_.any(!std::isfinite(square))) check_finite(comm_, mesh_, geometry_, now_, settings_.name, when);
}

// For the change alone, as momentum: relative to the whole right-hand side slow changes would stay below the tolerance.
template <class Real>
void ScalarTransport<Real>::solve(double when) {
    matrix_.residual(rhs_, now_, residual_);
    kernels::Fill<Real>{change_, Real(0)}.run(device_, {0, cells_.all});
    const SolveReport report = cg_.solve(*preconditioner_, residual_, change_, solver_);
    kernels::Axpy<Real>{change_, now_, Real(1)}.run(device_, cells_.marked());
    solves_.add(report);
    if (report.outcome == SolveOutcome::broken_down) check_finite(comm_, mesh_, geometry_, rhs_, "what is carried of " + settings_.name, when);
    comm_.agree([&] {
        if (!report.converged())
            throw ComputationError(fmt::format("{} at t = {:.6g} s: {}; or take a smaller time.step", settings_.name, when, report.explanation("scalar")));
    });
}

template <class Real>
void ScalarTransport<Real>::undo() {
    device_.copy(before_, now_);
    device_.copy(undone_, before_);
}

template <class Real>
std::array<double, 2> ScalarTransport<Real>::range() const {
    using Extrema = kernels::Extrema<Real>;
    const auto local = cells_.owned ? Extrema{now_}.run(device_, cells_.marked()) : typename Extrema::Result{HUGE_VAL, -HUGE_VAL};
    return {comm_.min(local.least), comm_.max(local.greatest)};
}

template <class Real>
std::vector<double> ScalarTransport<Real>::cell_values() {
    operators_.halo(Kind::cell).exchange(now_);
    const auto values = now_.download();
    return {values.begin(), values.begin() + cells_.all};
}

template <class Real>
std::vector<double> ScalarTransport<Real>::node_values() {
    to_nodes();
    if (is_bent(stencil_.convection)) {
        bend_at_nodes(device_, operators_, stencil_, cells_, nodes_, now_, at_nodes_);
        if (node_entry_.size()) device_.scatter(node_value_, node_entry_, at_nodes_);
    }
    operators_.halo(Kind::node).exchange(at_nodes_);
    const auto values = at_nodes_.download();
    return {values.begin(), values.end()};
}

template <class Real>
std::vector<double> ScalarTransport<Real>::diffused_in() {
    to_nodes();
    const Mesh& m = mesh_.mesh;
    std::vector<double> at_face(m.faces(), 0.0);
    if (given_.face.size()) {
        kernels::BoundaryDiffusion<Real>{d_, given_.oriented, given_.cell, given_.node, weight_, conduction_, now_, at_nodes_, given_.value, given_.carried,
                                         static_cast<Real>(settings_.diffusivity)}.run(device_, {0, given_.face.size()});
        const auto values = given_.carried.download();
        for (std::size_t i = 0; i < values.size(); ++i) at_face[flow_.faces().faces[boundaries_.given()[i]]] = values[i];
    }
    const auto values = open_.value.download();
    for (std::size_t i = 0; i < values.size(); ++i) at_face[flow_.faces().faces[boundaries_.open()[i]]] = values[i];
    std::vector<double> sums(m.boundaries.size(), 0.0);
    for (const Side& side : m.sides)
        if (side.face < faces_.owned) sums[side.boundary] += at_face[side.face];
    comm_.sum(sums);
    return sums;
}

template class ScalarTransport<float>;
template class ScalarTransport<double>;

}  // namespace solenoid
