#include "flow/collocated/momentum.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "flow/solver/finite.hpp"

namespace solenoid {

template <class Real>
Momentum<Real>::Momentum(const Domain& domain, const FlowBoundaries& boundaries,
                         const ViscosityModel& viscosity, const MomentumConvection& convection,
                         const SolveSettings& settings)
    : domain_(domain),
      d_(domain.dimension),
      boundaries_(boundaries),
      settings_(settings),
      scheme_(convection.scheme),
      is_viscous_(viscosity.varies() || viscosity.formula(Vec3(0)) > 0),
      stencil_(domain, boundaries.faces(), boundaries.symmetry_nodes(), viscosity.steepness()),
      viscosity_(domain, stencil_, boundaries.faces(), viscosity),
      volume_(domain.geometry.cell_volume.begin(),
              domain.geometry.cell_volume.begin() + domain_.cells.owned),
      diffusion_(cell_diffusion(
          domain.mesh, face_coefficients(domain.mesh, domain.geometry, boundaries.faces()),
          boundaries.faces(), viscosity.varies() ? 1 : viscosity.formula(Vec3(0)),
          stencil_.implicit_factor)),
      matrix_(domain.comm, domain.device, domain_.cells, domain.mesh.halo(Kind::cell),
              diffusion_.neighbours, diffusion_.weights, d_),
      cg_(domain.comm, matrix_),
      boundary_(domain, boundaries),
      recovery_(stencil_, viscosity_.kinks(), boundary_, scheme_.is_parabolic()),
      velocity_{domain, boundaries, stencil_, &boundary_, convection.jump_penalty},
      convection_(scheme_.convection(velocity_)),
      mean_(velocity_, FaceValue::mean) {
    const FaceCoefficients c = face_coefficients(domain.mesh, domain.geometry, boundaries.faces());
    for (const Index f : boundaries.faces().faces) conduction_of_faces_.push_back(c.conduction[f]);
    conduction_.resize(conduction_of_faces_.size());
    set_conduction();
    if (viscosity.varies())
        matrix_.follow(diffusion_.neighbours, diffusion_.faces, diffusion_.conduction);
    boundary_transport_ = domain.device.buffer<Real>(stencil_.boundary_faces.size(), d_);
    explicit_ = domain.device.buffer<Real>(domain.faces.shared, d_);
    scale(stencil_.excess, explicit_);
    wall_ = domain.vector_field<Real>(Kind::cell);
    defect_ = with_boundary_values();
    transport_ = domain.vector_field<Real>(Kind::face);
    for (auto* part : {&residual_, &change_})
        *part = domain.device.buffer<Real>(domain.cells.all, d_);
    for (int k = 0; k < (boundaries.has_symmetry() ? d_ : 1); ++k) {
        shift_of_.push_back(domain.device.buffer<Real>(domain_.cells.owned));
        inverse_.push_back(domain.device.buffer<Real>(domain.cells.all));
        diffusion_preconditioner_of_.push_back(std::make_unique<DiffusionPreconditioner<Real>>(
            domain.comm, domain.device, domain_.cells, domain.mesh.halo(Kind::cell),
            diffusion_.neighbours, diffusion_.weights, std::vector<Index>{},
            settings.preconditioner));
        preconditioner_of_.push_back(nullptr);
    }
    if (shift_of_.size() > 1) matrix_.shift() = domain.device.buffer<Real>(domain_.cells.owned, d_);
    set_symmetry(c);
    set_curved_slip(c);
}

template <class Real>
void Momentum<Real>::set_symmetry(const FaceCoefficients& c) {
    const BoundaryFaces& b = boundaries_.faces();
    const FreeDirections& free = boundaries_.free_faces();
    std::vector<Index> faces, cells;
    std::vector<double> conduction;
    std::vector<Vec3> deferred;
    for (std::size_t i = 0; i < free.entities.size(); ++i) {
        const Index k = free.entities[i];
        if (!boundaries_.condition(k).slips() || b.slips_curved[k]) continue;
        faces.push_back(b.faces[k]);
        cells.push_back(b.cells[k]);
        conduction.push_back(b.outward[k] * c.conduction[b.faces[k]]);
        for (int j = 0; j < d_; ++j) deferred.push_back(boundaries_.deferred()[i * d_ + j]);
    }
    symmetry_ = {uploaded(domain_.device, faces),
                 uploaded(domain_.device, cells),
                 uploaded<Real>(domain_.device, conduction),
                 domain_.device.buffer<Real>(static_cast<Index>(faces.size())),
                 uploaded_vectors<Real>(domain_.device, deferred, faces.size(), d_, d_),
                 {}};
    symmetry_.transport = domain_.device.buffer<Real>(symmetry_.face.size(), d_);
    viscosity_.gather(symmetry_.face, symmetry_.conduction, symmetry_.viscous);
}

template <class Real>
void Momentum<Real>::set_curved_slip(const FaceCoefficients& c) {
    const BoundaryFaces& b = boundaries_.faces();
    std::vector<Index> faces, cells, entries, list;
    std::vector<double> conduction;
    std::vector<Vec3> drag;
    for (std::size_t k = 0; k < b.faces.size(); ++k) {
        if (!b.slips_curved[k]) continue;
        list.push_back(static_cast<Index>(k));
        faces.push_back(b.faces[k]);
        cells.push_back(b.cells[k]);
        entries.push_back(b.first + static_cast<Index>(k));
        conduction.push_back(b.outward[k] * c.conduction[b.faces[k]]);
        drag.push_back(boundaries_.implicit_drag(k));
    }
    const std::vector<double> foot =
        foot_weights(domain_.mesh, domain_.geometry, b, b.slips_curved);
    const std::size_t count = list.size();
    std::vector<double> weights(count * (d_ + 1));
    Table nodes(count, d_ + 1);
    for (std::size_t i = 0; i < count; ++i)
        for (int j = 0; j <= d_; ++j) {
            weights[j * count + i] = foot[j * b.faces.size() + list[i]];
            nodes(i, j) = domain_.mesh.mesh.cell_nodes(cells[i], j);
        }
    curved_slip_ = {uploaded(domain_.device, faces),
                    uploaded(domain_.device, cells),
                    uploaded(domain_.device, entries),
                    uploaded_table(domain_.device, nodes, count),
                    uploaded<Real>(domain_.device, weights, d_ + 1),
                    uploaded<Real>(domain_.device, conduction),
                    domain_.device.buffer<Real>(static_cast<Index>(count)),
                    uploaded_vectors<Real>(domain_.device, drag, count, 1, d_),
                    domain_.device.buffer<Real>(static_cast<Index>(count), d_)};
    viscosity_.gather(curved_slip_.face, curved_slip_.conduction, curved_slip_.viscous);
}

template <class Real>
bool Momentum<Real>::update(double time) {
    if (!boundary_.update(time)) return false;
    set_walls();
    return true;
}

// Computes the conductances of boundary faces with the viscosity, and their sums over the faces of
// each cell whose condition gives the velocity.
template <class Real>
void Momentum<Real>::set_conduction() {
    const BoundaryFaces& b = boundaries_.faces();
    std::fill(diffusion_.to_boundary.begin(), diffusion_.to_boundary.end(), 0.0);
    for (std::size_t k = 0; k < b.faces.size(); ++k) {
        conduction_[k] = viscosity_.host_boundary()[k] * conduction_of_faces_[k];
        if (b.conductance_factor[k] > 1 && b.cells[k] < domain_.cells.owned)
            diffusion_.to_boundary[b.cells[k]] += conduction_[k];
    }
}

template <class Real>
void Momentum<Real>::update_viscosity(double time, CellField<Real>& u) {
    if (!viscosity_.update(time, u)) return;
    take_viscosity();
    if (viscosity_.is_far(2)) renew_preconditioners();
}

template <class Real>
void Momentum<Real>::update_properties(double time, CellField<Real>& u) {
    if (!viscosity_.follows_flow() && !is_frozen_) update_viscosity(time, u);
}

template <class Real>
bool Momentum<Real>::update_properties_by(CellField<Real>& u, double time) {
    if (!viscosity_.follows_flow() || is_frozen_) return false;
    update_viscosity(time, u);
    return true;
}

// Computes everything that depends on the viscosity except the preconditioners.
template <class Real>
void Momentum<Real>::take_viscosity() {
    matrix_.set_values(viscosity_.at_faces());
    scale(stencil_.excess, explicit_);
    if (whole_) scale(less_conduction_, whole_);
    viscosity_.gather(symmetry_.face, symmetry_.conduction, symmetry_.viscous);
    viscosity_.gather(curved_slip_.face, curved_slip_.conduction, curved_slip_.viscous);
    set_conduction();
    set_walls();
    shift_ = -1;
    drag_ = {};
}

template <class Real>
void Momentum<Real>::register_state(const State<Real>& motion, const State<Real>& found) {
    boundary_.register_state(motion.part("boundary"));
    viscosity_.register_state(motion.part("viscosity"), found.part("viscosity"));
    solves_.register_state(motion);
    if (viscosity_.varies()) {
        motion.remade([this] { take_viscosity(); });
        found.off_stack().remade([this] { replace_weights(); });
    } else if (boundaries_.depends_on_time()) {
        motion.remade([this] { set_walls(); });
    }
    for (std::size_t i = 0; i < diffusion_preconditioner_of_.size(); ++i)
        diffusion_preconditioner_of_[i]->register_state(
            found.part("preconditioner_" + std::to_string(i)), Kind::cell);
    // the preconditioners of the current shift may have been replaced
    found.remade([this] { shift_ = -1; });
}

// Coefficients of diffusion through a face: nu times `conduction` for the difference of its cells,
// nu cross_j for the differences of its nodes.
template <class Real>
void Momentum<Real>::scale(const Buffer<Real>& conduction, Buffer<Real>& diffusion) {
    const Over faces = domain_.shared(Kind::face);
    faces[column(diffusion, 0)] = viscosity_.at_faces() * conduction;
    for (int j = 1; j < d_; ++j)
        faces[column(diffusion, j)] = viscosity_.at_faces() * column(stencil_.cross, j - 1);
}

template <class Real>
void Momentum<Real>::renew_preconditioners() {
    viscosity_.keep();
    replace_weights();
}

// The preconditioners' weights become those of Viscosity::kept().
template <class Real>
void Momentum<Real>::replace_weights() {
    const std::vector<Real> nu = viscosity_.kept().download();
    for (std::size_t k = 0; k < diffusion_.weights.size(); ++k)
        diffusion_.weights[k] = nu[diffusion_.faces[k]] * diffusion_.conduction[k];
    for (const auto& preconditioner : diffusion_preconditioner_of_)
        preconditioner->replace(diffusion_.weights);
}

template <class Real>
void Momentum<Real>::set_walls() {
    // wall = sum over a cell's boundary faces of nu c A / d_n u_b
    const BoundaryFaces& b = boundaries_.faces();
    const std::size_t count = b.faces.size();
    std::vector<Real> values(std::size_t(domain_.cells.all) * d_, Real(0));
    for (std::size_t k = 0; k < count; ++k) {
        if (b.cells[k] >= domain_.cells.owned) continue;
        for (int j = 0; j < d_; ++j)
            values[std::size_t(j) * domain_.cells.all + b.cells[k]] +=
                static_cast<Real>(conduction_[k] * boundary_.face_velocity()[j * count + k]);
    }
    wall_.upload(values);
}

template <class Real>
void Momentum<Real>::update_defect(const Field<Real>& u, const Field<Real>& at_nodes) {
    kernels::CellDefect<Real>{
        .dimension = d_, .node = stencil_.cell_nodes, .u = u, .t = at_nodes, .value = defect_}
        .run();
}

template <class Real>
void Momentum<Real>::to_faces(const Field<Real>& u, const Field<Real>& at_nodes,
                              Field<Real>& flux) {
    update_defect(u, at_nodes);
    kernels::FaceInterpolation<Real>{.dimension = d_,
                                     .cell = stencil_.face_cells,
                                     .node = stencil_.face_nodes,
                                     .theta = stencil_.theta,
                                     .skew = stencil_.skew,
                                     .part = stencil_.face_slope_part,
                                     .area = stencil_.area,
                                     .u = u,
                                     .defect = defect_,
                                     .t = at_nodes,
                                     .value = flux,
                                     .cells = domain_.cells.all}
        .run();
}

template <class Real>
void Momentum<Real>::to_faces(CellField<Real>& u, Field<Real>& flux) {
    const Field<Real>& cells = u.with_boundary();
    to_faces(cells, u.at_nodes(), flux);
}

template <class Real>
void Momentum<Real>::nodes_to_faces(const Field<Real>& at_nodes, Field<Real>& flux) {
    if (!rest_) rest_ = with_boundary_values();
    to_faces(rest_, at_nodes, flux);
}

template <class Real>
void Momentum<Real>::mean_to_faces(const Field<Real>& field, Field<Real>& flux) {
    kernels::FaceMeanFlux<Real>{.dimension = d_,
                                .cell = stencil_.face_cells,
                                .theta = stencil_.theta,
                                .area = stencil_.area,
                                .q = field,
                                .value = flux}
        .run();
}

template <class Real>
void Momentum<Real>::transport(CellField<Real>& u, const Field<Real>& flux, Field<Real>& out) {
    transport_with(u, flux, explicit_, out);
}

template <class Real>
void Momentum<Real>::convection(CellField<Real>& u, const Field<Real>& flux, Field<Real>& out) {
    if (!none_diffused_) {
        none_diffused_ = domain_.device.buffer<Real>(domain_.faces.shared, d_);
        none_diffused_to_boundary_ = domain_.device.buffer<Real>(stencil_.boundary_faces.size());
    }
    transport_with(u, flux, none_diffused_, out, Diffusion::none);
}

template <class Real>
void Momentum<Real>::diffusion_whole(CellField<Real>& u, Field<Real>& out) {
    if (!no_flux_) no_flux_ = domain_.field<Real>(Kind::face);
    const Field<Real>& cells = u.with_boundary();
    update_defect(cells, u.at_nodes());
    mean_.to_faces({u.with_boundary(), defect_, u.at_nodes(), no_flux_}, whole(), transport_);
    bring(u, no_flux_, out);
}

template <class Real>
const Buffer<Real>& Momentum<Real>::whole() {
    if (!whole_) {
        std::vector<double> conduction =
            face_coefficients(domain_.mesh, domain_.geometry, boundaries_.faces()).conduction;
        for (double& c : conduction) c = -c;
        less_conduction_ = uploaded<Real>(domain_.device, conduction);
        whole_ = domain_.device.buffer<Real>(domain_.faces.shared, d_);
        scale(less_conduction_, whole_);
    }
    return whole_;
}

template <class Real>
void Momentum<Real>::transport_whole(CellField<Real>& u, const Field<Real>& flux,
                                     Field<Real>& out) {
    transport_with(u, flux, whole(), out);
}

template <class Real>
void Momentum<Real>::use_differences(bool are_differences) {
    convection_->use_differences(are_differences);
    boundary_.use_differences(are_differences);
}

// coefficients: of diffusion, by scale().
template <class Real>
void Momentum<Real>::transport_with(CellField<Real>& u, const Field<Real>& flux,
                                    const Buffer<Real>& coefficients, Field<Real>& out,
                                    Diffusion diffusion) {
    const Field<Real>& cells = u.with_boundary();
    update_defect(cells, u.at_nodes());
    const typename Convection<Real>::Carried carried{u.with_boundary(), defect_, u.at_nodes(),
                                                     flux};
    convection_->to_faces(carried, coefficients, transport_);
    bring(u, flux, out, diffusion);
    convection_->add_to_cells(carried, out);
}

// out = sum over a cell's faces of the transport: that of interior faces is in transport_, that of
// boundary faces is computed here.
template <class Real>
void Momentum<Real>::bring(CellField<Real>& u, const Field<Real>& flux, Field<Real>& out,
                           Diffusion diffusion) {
    const bool diffuses = diffusion != Diffusion::none;
    const Field<Real>&cells = u.with_boundary(), &at_nodes = u.at_nodes();
    const Buffer<Real>& carried = boundary_.carried(cells, flux);
    kernels::BoundaryTransport<Real>{
        .dimension = d_,
        .face = stencil_.boundary_faces,
        .node = stencil_.boundary_cell_nodes,
        .weight = stencil_.boundary_weight,
        .nu = diffuses ? viscosity_.at_boundary() : none_diffused_to_boundary_,
        .flux = flux,
        .given = carried,
        .t = at_nodes,
        .value = boundary_transport_}
        .run(domain_.device, {0, stencil_.boundary_faces.size()});
    domain_.device.scatter(boundary_transport_, stencil_.boundary_faces, transport_,
                           Reach::closure);
    if (diffuses) bring_slip(cells, at_nodes);
    if (diffuses && viscosity_.varies())
        kernels::TransposedStress<Real>{.dimension = d_,
                                        .node = stencil_.face_nodes,
                                        .area = stencil_.area,
                                        .tangent = viscosity_.tangent(),
                                        .nu = viscosity_.at_faces(),
                                        .t = at_nodes,
                                        .transport = transport_}
            .run();
    kernels::TransportSum<Real>{
        .dimension = d_, .face = stencil_.cell_faces, .transport = transport_, .value = out}
        .run();
}

// Sets in transport_ what faces carry along which the fluid slips, but for the implicit part.
template <class Real>
void Momentum<Real>::bring_slip(const Field<Real>& cells, const Field<Real>& at_nodes) {
    if (symmetry_.face.size()) {
        kernels::SymmetryDeferredCorrection<Real>{.dimension = d_,
                                                  .cell = symmetry_.cell,
                                                  .conduction = symmetry_.viscous,
                                                  .deferred = symmetry_.deferred,
                                                  .u = cells,
                                                  .value = symmetry_.transport}
            .run(domain_.device, {0, symmetry_.face.size()});
        domain_.device.scatter(symmetry_.transport, symmetry_.face, transport_, Reach::closure);
    }
    if (!boundaries_.has_curved_slip()) return;
    kernels::CurvedSlipTransport<Real>{.dimension = d_,
                                       .cell = curved_slip_.cell,
                                       .entry = curved_slip_.entry,
                                       .node = curved_slip_.node,
                                       .foot = curved_slip_.foot,
                                       .conduction = curved_slip_.viscous,
                                       .drag = curved_slip_.drag,
                                       .u = cells,
                                       .t = at_nodes,
                                       .value = curved_slip_.transport}
        .run(domain_.device, {0, curved_slip_.face.size()});
    domain_.device.scatter(curved_slip_.transport, curved_slip_.face, transport_, Reach::closure);
}

template <class Real>
void Momentum<Real>::explicit_diffusion(CellField<Real>& u, Field<Real>& out) {
    if (!no_flux_) no_flux_ = domain_.field<Real>(Kind::face);
    mean_.to_faces({u.with_boundary(), defect_, u.at_nodes(), no_flux_}, explicit_, transport_);
    bring(u, no_flux_, out);
}

// Diagonal of the matrix without the conductances between cells: shift V, conduction to given
// boundary values, and the drag of boundary faces on this velocity component.
template <class Real>
std::vector<double> Momentum<Real>::diagonal(double shift, std::size_t component) const {
    const BoundaryFaces& b = boundaries_.faces();
    std::vector<double> values(diffusion_.to_boundary);
    for (Index c = 0; c < domain_.cells.owned; ++c) values[c] += shift * volume_[c];
    for (std::size_t k = 0; k < b.faces.size(); ++k)
        if (b.cells[k] < domain_.cells.owned)
            values[b.cells[k]] +=
                conduction_[k] * boundaries_.implicit_drag(k)[static_cast<int>(component)];
    return values;
}

template <class Real>
void Momentum<Real>::implicit_diffusion(const Field<Real>& u, Field<Real>& out) {
    const Over cells = domain_.own(Kind::cell);
    if (!drag_) {
        drag_ =
            domain_.device.buffer<Real>(domain_.cells.owned, static_cast<int>(shift_of_.size()));
        for (std::size_t i = 0; i < shift_of_.size(); ++i)
            cells[column(drag_, static_cast<int>(i))] =
                uploaded<Real>(domain_.device, diagonal(0, i));
    }
    cells[residual_] = 0;
    cells[change_] = u;
    matrix_.residual_everywhere(drag_, residual_, change_, out.write());
}

template <class Real>
void Momentum<Real>::set_shift(double shift) {
    if (shift == shift_) return;
    shift_ = shift;
    solves_.preconditioner = {};
    const Over cells = domain_.own(Kind::cell);
    for (std::size_t i = 0; i < shift_of_.size(); ++i) {
        const std::vector<double> values = diagonal(shift, i);
        shift_of_[i].upload(std::vector<Real>(values.begin(), values.end()));
        const auto whole = shift_of_[i] + matrix_.diagonal();
        if (!settings_.preconditioner.kind->scales_by_diagonal)
            cells[inverse_[i]] = 1;
        else
            cells[inverse_[i]] = where(whole > 0, 1 / whole, 0);
        preconditioner_of_[i] = &diffusion_preconditioner_of_[i]->prepare(values, inverse_[i]);
        const PreconditionerSummary one = diffusion_preconditioner_of_[i]->summary();
        solves_.preconditioner = {solves_.preconditioner.setup_seconds + one.setup_seconds,
                                  one.levels};
        cells[column(matrix_.shift(), static_cast<int>(i))] = shift_of_[i];
    }
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
    for (Index c = 0; c < domain_.cells.owned; ++c)
        largest = std::max(largest, (inside[c] + diffusion_.to_boundary[c]) / volume_[c]);
    return domain_.comm.max(largest);
}

template <class Real>
void Momentum<Real>::solve(double shift, const Buffer<Real>& rhs, Field<Real>& u, double when) {
    set_shift(shift);
    std::vector<Preconditioner<Real>*> preconditioners;
    for (int k = 0; k < d_; ++k)
        preconditioners.push_back(preconditioner_of_[shift_of_.size() > 1 ? k : 0]);
    matrix_.residual(domain_.comm, rhs, u.write(), residual_);
    CgSettings cg = settings_.stop;
    cg.from_zero = true;
    const SolveReport report = slowest(cg_.solve(preconditioners, residual_, change_, cg));
    solves_.add(report);
    check_converged(report, rhs, when);
    domain_.own(Kind::cell)[u] += change_;
}

template <class Real>
void Momentum<Real>::check_converged(const SolveReport& report, const Buffer<Real>& rhs,
                                     double when) const {
    if (report.outcome == SolveOutcome::broken_down)
        check_finite(domain_, rhs, "what is carried of the velocity", when);
    domain_.comm.agree([&] {
        if (!report.converged())
            throw ComputationError(fmt::format("momentum at t = {:.6g} s: {}{}", when,
                                               report.explanation("momentum"),
                                               or_shorter_step(when)));
    });
}

template <class Real>
Momentum<Real>::~Momentum() = default;

template class Momentum<float>;
template class Momentum<double>;

}  // namespace solenoid
