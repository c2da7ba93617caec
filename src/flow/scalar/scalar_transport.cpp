#include "flow/scalar/scalar_transport.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/solver/finite.hpp"

namespace solenoid {
namespace {

// Of a scheme that keeps the range: the Courant number beyond which steps are made in parts, how
// many at most, and the ratio of a step to the one before beyond which it is Euler's.
constexpr double largest_courant = 0.6;
constexpr int most_parts = 200;
constexpr double largest_ratio = 2.01;

}  // namespace

template <class Real>
ScalarTransport<Real>::ScalarTransport(const Domain& domain, const FlowBoundaries& flow,
                                       const CellStencil<Real>& stencil,
                                       const ScalarSettings& settings, const SolveSettings& solver)
    : domain_(domain),
      flow_(flow),
      stencil_(stencil),
      settings_(settings),
      scheme_(convection_scheme(settings.convection)),
      d_(domain.dimension),
      boundaries_(domain, flow, settings.name),
      faces_(domain, flow, stencil, boundaries_, settings.diffusivity, settings.name),
      diffusion_(domain, faces_, stencil.volume, settings.name, solver),
      recovery_(stencil, faces_.kinks(), boundaries_, flow.faces().first),
      convection_(scheme_.convection(ConvectedField<Real>{domain, flow, stencil})) {
    if (scheme_.keeps_range()) flux_limiter_ = std::make_unique<FluxLimiter<Real>>(domain, stencil);
    for (auto* field : {&state_.now, &high_, &low_}) *field = recovery_.scalar();
    defect_ = domain.field<Real>(Kind::cell, 1, stencil.boundary_faces.size());
    for (auto* field : {&state_.gained, &state_.left, &left_, &rhs_, &wall_, &rate_of_gain_})
        *field = domain.field<Real>(Kind::cell);
    for (auto* field :
         {&state_.carried, &state_.flowed, &state_.transport, &state_.flux, &state_.given_flux})
        *field = domain.field<Real>(Kind::face);
    for (auto* field : {&transport_, &low_carried_, &excess_, &growth_, &extrapolated_})
        *field = domain.field<Real>(Kind::face);
    before_ = domain.field<Real>(Kind::cell, 1, state_.now.size() - domain.cells.all);
    set_initial();
    has_gain_ =
        boundaries_.has_flux() || !(settings.source.is_constant() && settings.source(Vec3(0)) == 0);
    gain_varies_ = settings.source.depends_on_time() ||
                   (boundaries_.has_flux() && boundaries_.depends_on_time());
    update(0);
}

template <class Real>
void ScalarTransport<Real>::set_initial() {
    std::vector<Real> initial(state_.now.size(), Real(0));
    domain_.comm.agree([&] {
        for (Index c = 0; c < domain_.cells.owned; ++c)
            initial[c] = static_cast<Real>(
                settings_.initial.finite_value(domain_.geometry.cell_centroid[c], 0));
    });
    state_.now.upload(initial);
    take_in({initial.begin(), initial.begin() + domain_.cells.owned});
    state_.range = state_.greatest - state_.least;
}

template <class Real>
void ScalarTransport<Real>::keep_in(Snapshot<Real>& motion, Snapshot<Real>& found) {
    motion.add(static_cast<Field<Real>&>(state_.now));
    for (auto* field : {&state_.carried, &state_.flowed, &state_.gained, &state_.left,
                        &state_.transport, &state_.flux, &state_.given_flux, &wall_, &before_})
        motion.add(*field);
    for (double* value : {&state_.least, &state_.greatest, &state_.least_gained,
                          &state_.most_gained, &state_.range, &state_.last_step})
        motion.add_value(*value);
    for (double* value : {&seen_, &least_given_, &greatest_given_}) motion.add_value(*value);
    recovery_.keep_in(motion);
    faces_.keep_in(motion);
    diffusion_.keep_in(motion, found, faces_);
}

// The diffusivity and the boundary's values at a time, and what they diffuse into their cells.
template <class Real>
void ScalarTransport<Real>::update(double time) {
    const bool conducts_anew = faces_.update(time);
    if (conducts_anew) diffusion_.update(faces_);
    if (is_seen_ && !conducts_anew && (!boundaries_.depends_on_time() || time == seen_)) return;
    is_seen_ = true;
    seen_ = time;
    std::vector<double> at_faces, at_nodes;
    domain_.comm.agree([&] {
        at_faces = boundaries_.face_values(time);
        at_nodes = boundaries_.node_values(time);
    });
    recovery_.update(at_faces, at_nodes);
    std::vector<Real> wall(domain_.cells.all, Real(0));
    for (std::size_t i = 0; i < at_faces.size(); ++i)
        wall[flow_.faces().cells[boundaries_.given()[i]]] +=
            static_cast<Real>(faces_.host_given_conduction[i] * at_faces[i]);
    wall_.upload(wall);
    take_in(at_faces);
    take_in(at_nodes);
}

// The range of the data grows by these.
template <class Real>
void ScalarTransport<Real>::take_in(const std::vector<double>& values) {
    const auto [least, greatest] = std::ranges::minmax_element(values);
    const double from = domain_.comm.min(values.empty() ? HUGE_VAL : *least),
                 to = domain_.comm.max(values.empty() ? -HUGE_VAL : *greatest);
    state_.least = std::min(state_.least, from);
    state_.greatest = std::max(state_.greatest, to);
    least_given_ = std::min(least_given_, from);
    greatest_given_ = std::max(greatest_given_, to);
}

// transport_ = what the flow carries through the faces, and explicit diffusion.
template <class Real>
void ScalarTransport<Real>::transport(const Field<Real>& flux) {
    const Field<Real>& at_nodes = state_.now.at_nodes();
    const Buffer<Real>& now = state_.now.with_ghosts();
    kernels::ScalarCellDefect<Real>{
        .dimension = d_, .node = stencil_.cell_nodes, .u = now, .t = at_nodes, .value = defect_}
        .run(domain_.device, domain_.cells.owned_range());
    convection_->to_faces({state_.now, defect_, at_nodes, flux}, faces_.diffusion, transport_);
    if (auto& list = faces_.given; list.face.size()) {
        kernels::ScalarBoundaryTransport<Real>{.dimension = d_,
                                               .face = list.face,
                                               .node = list.node,
                                               .weight = faces_.weight,
                                               .nu = faces_.given_diffusivity,
                                               .flux = flux,
                                               .given = recovery_.face_values(),
                                               .t = at_nodes,
                                               .value = list.carried}
            .run(domain_.device, {0, list.face.size()});
        domain_.device.scatter(list.carried, list.face, transport_);
    }
    if (auto& list = faces_.open; list.face.size()) {
        kernels::OpenBoundaryTransport<Real>{.dimension = d_,
                                             .face = list.oriented,
                                             .cell = list.cell,
                                             .node = list.node,
                                             .flux = flux,
                                             .u = now,
                                             .defect = defect_,
                                             .t = at_nodes,
                                             .given = faces_.none_diffused,
                                             .value = list.carried}
            .run(domain_.device, {0, list.face.size()});
        domain_.device.scatter(list.carried, list.face, transport_);
    }
}

// ---- a step

// BDF2 as increments: with V (T - T_before) = -D F_before + ..., F_before what was carried in the
// last step,
//     V (T' - T) = -D F + ...,
//     F = c F_before + dt/a ((1 + w) N - w N_before),
//     c = w^2 / (1 + 2 w),
// and N its rate. Volume and sources add up alike.
template <class Real>
void ScalarTransport<Real>::step(const Field<Real>& flux, double time, const Bdf2& bdf2) {
    const double s = bdf2.reach(), when = time + bdf2.dt;
    update(time);
    transport(flux);
    update(when);
    add_up(transport_, state_.transport, state_.carried, bdf2);
    add_up(flux, state_.flux, state_.flowed, bdf2);
    add_gain(bdf2, when);
    high_.copy(state_.now);
    solve(state_.carried, 1 / s, high_, when);
    domain_.own(Kind::cell)[left_] = s * diffusion_.residual();
    conduct(s, high_, state_.carried);
    if (scheme_.keeps_range()) bound(bdf2.dt, when);
    state_.now.copy(high_);
    state_.left.copy(left_);
    state_.last_step = bdf2.dt;
    const double square = domain_.own(Kind::cell).dot(high_, high_);
    if (domain_.comm.any(!std::isfinite(square)))
        check_finite(domain_, state_.now, settings_.name, when);
}

template <class Real>
void ScalarTransport<Real>::advance(const Field<Real>& flux, double time, double dt, double w) {
    before_.copy(state_.now);
    if (!scheme_.keeps_range()) return step(flux, time, {dt, w});
    const double last = state_.last_step;
    domain_.shared(Kind::face)[growth_] = w / dt * (flux - state_.given_flux);
    state_.given_flux.copy(flux);
    extrapolate(flux, dt);
    const double courant = dt * std::max(courant_rate(flux), courant_rate(extrapolated_));
    const int parts = parts_ =
        courant < most_parts * largest_courant
            ? std::max(1, static_cast<int>(std::ceil(courant / largest_courant)))
            : most_parts;
    for (int i = 0; i < parts; ++i) {
        extrapolate(flux, i * dt / parts);
        const double ratio = i > 0 ? 1 : w > 0 ? dt / parts / last : 0;
        step(extrapolated_, time + i * dt / parts,
             {dt / parts, ratio <= largest_ratio ? ratio : 0});
    }
}

// The flux a while later, as it grew in the last step.
template <class Real>
void ScalarTransport<Real>::extrapolate(const Field<Real>& flux, double later) {
    domain_.shared(Kind::face)[extrapolated_] = flux + later * growth_;
}

template <class Real>
double ScalarTransport<Real>::courant_rate(const Field<Real>& flux) const {
    return domain_.comm.max(domain_.cells.owned
                                ? kernels::CourantNumber<Real>{.dimension = d_,
                                                               .face = stencil_.cell_faces,
                                                               .volume = stencil_.volume,
                                                               .flux = flux}
                                      .run(domain_.device, domain_.cells.owned_range())
                                      .rate
                                : 0);
}

// What passes the faces in the step but for implicit diffusion; `before` becomes the rate.
template <class Real>
void ScalarTransport<Real>::add_up(const Field<Real>& rate, Field<Real>& before,
                                   Field<Real>& passed, const Bdf2& bdf2) {
    const double s = bdf2.reach(), c = bdf2.kept(), w = bdf2.w;
    domain_.shared(Kind::face)[passed] = c * passed + (s * (1 + w) * rate - s * w * before);
    before.copy(rate);
}

// What sources make in the owned cells, and what the given fluxes of open faces bring there [scalar
// m^3/s].
template <class Real>
std::vector<double> ScalarTransport<Real>::gains(double when) const {
    const std::vector<double> diffused = boundaries_.diffused_in(when);
    std::vector<double> gains(domain_.cells.all, 0.0);
    for (Index cell = 0; cell < domain_.cells.owned; ++cell)
        gains[cell] = domain_.geometry.cell_volume[cell] *
                      settings_.source.finite_value(domain_.geometry.cell_centroid[cell], when);
    for (std::size_t i = 0; i < diffused.size(); ++i)
        gains[flow_.faces().cells[boundaries_.open()[i]]] += diffused[i];
    return gains;
}

// Either by the rates at the end of the step, as all that is implicit, or the integral over it: y'
// - y of BDF2, whose f at the end is then (integral - kept times that of the step before) / s, of
// second order, too.
template <class Real>
void ScalarTransport<Real>::add_gain(const Bdf2& bdf2, double when) {
    if (!has_gain_) return;
    const bool is_integral = time_parts_ && gain_varies_;
    const double s = is_integral ? 1 : bdf2.reach(), c = is_integral ? 0 : bdf2.kept();
    std::vector<Real> values(domain_.cells.all, Real(0));
    double most = 0, least = 0;
    domain_.comm.agree([&] {
        std::vector<double> gained(domain_.cells.all, 0.0);
        for (const TimePoint& point : is_integral ? quadrature(time_parts_, when - bdf2.dt, when)
                                                  : std::vector<TimePoint>{{when, 1}}) {
            const std::vector<double> rate = gains(point.t);
            for (std::size_t i = 0; i < rate.size(); ++i) gained[i] += point.weight * rate[i];
        }
        for (Index cell = 0; cell < domain_.cells.owned; ++cell) {
            most = std::max(most, gained[cell] / domain_.geometry.cell_volume[cell]);
            least = std::min(least, gained[cell] / domain_.geometry.cell_volume[cell]);
        }
        values.assign(gained.begin(), gained.end());
    });
    rate_of_gain_.upload(values);
    domain_.own(Kind::cell)[state_.gained] = c * state_.gained + s * rate_of_gain_;
    state_.most_gained = c * state_.most_gained + s * domain_.comm.max(most);
    state_.least_gained = c * state_.least_gained + s * domain_.comm.min(least);
    state_.greatest += state_.most_gained;
    state_.least += state_.least_gained;
}

template <class Real>
void ScalarTransport<Real>::solve(const Field<Real>& carried, double rate, Field<Real>& x,
                                  double when) {
    kernels::ScalarStepRhs<Real>{.dimension = d_,
                                 .face = stencil_.cell_faces,
                                 .size = stencil_.volume,
                                 .u = state_.now,
                                 .carried = carried,
                                 .volume = state_.flowed,
                                 .gained = state_.gained,
                                 .left = state_.left,
                                 .wall = wall_,
                                 .value = rhs_,
                                 .rate = static_cast<Real>(rate)}
        .run(domain_.device, domain_.cells.owned_range());
    diffusion_.solve(rate, rhs_, x, when, scheme_.keeps_range() ? range().margin : HUGE_VAL);
}

// Adds what x conducts in a time s.
template <class Real>
void ScalarTransport<Real>::conduct(double s, CellField<Real>& x, Field<Real>& carried) {
    if (!faces_.conducts()) return;
    const kernels::ConductedFlux<Real> conducted{.cell = faces_.beside,
                                                 .conduction = faces_.conduction,
                                                 .u = x.with_boundary(),
                                                 .carried = carried,
                                                 .s = static_cast<Real>(s)};
    conducted.run(domain_.device, {0, domain_.faces.shared});
}

// The monotone step: Euler's, explicit and upwind with the volume that flows in the step, implicit
// with diffusion between neighbours.
template <class Real>
void ScalarTransport<Real>::solve_low(double dt, double when) {
    kernels::UpwindFlux<Real>{.cell = faces_.beside,
                              .volume = state_.flowed,
                              .u = state_.now.with_boundary(),
                              .value = low_carried_}
        .run(domain_.device, {0, domain_.faces.shared});
    low_.copy(state_.now);
    solve(low_carried_, 1 / dt, low_, when);
    conduct(dt, low_, low_carried_);
}

// Where the second-order step leaves the range of the data, it keeps only so much of what it
// carries beyond the monotone one as stays in it.
template <class Real>
void ScalarTransport<Real>::bound(double dt, double when) {
    auto range = this->range();
    const auto [least, greatest] = extremes(high_);
    state_.range = std::min(greatest, range.greatest) - std::max(least, range.least);
    if (least >= range.least - range.margin && greatest <= range.greatest + range.margin) return;
    const auto [low, high] = extremes(state_.now);
    range.slack = 0.4 * (high - low);  // limits that take a value farther astray act again
    solve_low(dt, when);
    domain_.shared(Kind::face)[excess_] = state_.carried - low_carried_;
    const Buffer<Real>& cut = flux_limiter_->limit(range, low_, excess_, high_);
    domain_.shared(Kind::face)[state_.carried] -= cut;
}

template <class Real>
std::array<double, 2> ScalarTransport<Real>::extremes(const Buffer<Real>& values) const {
    const auto [low, high] = domain_.own(Kind::cell).reduce(least(values), greatest(values));
    return {domain_.comm.min(low), domain_.comm.max(high)};
}

// Its margin is a part of what the values themselves span, which gains may have left far behind.
template <class Real>
typename FluxLimiter<Real>::ValueRange ScalarTransport<Real>::range() const {
    const double rounding = std::numeric_limits<Real>::epsilon() *
                            std::max(std::abs(state_.least), std::abs(state_.greatest));
    return {state_.least, state_.greatest, 1e-7 * state_.range + 4 * rounding, 0};
}

// The present values count where there are gains alone: else they are within the others, and what
// solves leave is no range.
template <class Real>
typename ScalarTransport<Real>::Change ScalarTransport<Real>::change() const {
    const double most = domain_.comm.max(
        domain_.cells.owned ? double(domain_.own(Kind::cell).greatest(abs(state_.now - before_)))
                            : 0.0);
    const double given = greatest_given_ - least_given_;
    if (!has_gain_) return {given > 0 ? most : 0, given};
    const auto [low, high] = extremes();
    return {most, std::max(given, high - low)};
}

template <class Real>
std::vector<double> ScalarTransport<Real>::cell_values() {
    const auto values = state_.now.with_ghosts().download();
    return {values.begin(), values.begin() + domain_.cells.all};
}

template <class Real>
std::vector<double> ScalarTransport<Real>::node_values() {
    auto at_nodes = domain_.field<Real>(Kind::node);
    at_nodes.copy(state_.now.at_nodes());
    if (scheme_.is_parabolic()) {
        add_quadratic_correction(stencil_, faces_.kinks(), state_.now, at_nodes);
        recovery_.constrain_at_nodes(at_nodes);
    }
    const auto downloaded = at_nodes.with_ghosts().download();
    std::vector<double> values(downloaded.begin(), downloaded.end());
    for (double& value : values)
        if (scheme_.keeps_range()) value = std::clamp(value, state_.least, state_.greatest);
    return values;
}

template <class Real>
std::vector<double> ScalarTransport<Real>::diffused_in() {
    const Field<Real>& at_nodes = state_.now.at_nodes();
    const Mesh& m = domain_.mesh.mesh;
    std::vector<double> at_face(m.faces(), 0.0);
    if (auto& list = faces_.given; list.face.size()) {
        kernels::BoundaryDiffusion<Real>{.dimension = d_,
                                         .face = list.oriented,
                                         .cell = list.cell,
                                         .node = list.node,
                                         .weight = faces_.weight,
                                         .conduction = faces_.given_conduction,
                                         .diffusivity = faces_.given_diffusivity,
                                         .u = state_.now,
                                         .t = at_nodes,
                                         .given = recovery_.face_values(),
                                         .value = list.carried}
            .run(domain_.device, {0, list.face.size()});
        const auto values = list.carried.download();
        for (std::size_t i = 0; i < values.size(); ++i)
            at_face[flow_.faces().faces[boundaries_.given()[i]]] = values[i];
    }
    const auto values = boundaries_.diffused_in(seen_);
    for (std::size_t i = 0; i < values.size(); ++i)
        at_face[flow_.faces().faces[boundaries_.open()[i]]] = values[i];
    std::vector<double> sums(m.boundaries.size(), 0.0);
    for (const Side& side : m.sides)
        if (side.face < domain_.faces.owned) sums[side.boundary] += at_face[side.face];
    domain_.comm.sum(sums);
    return sums;
}

template class ScalarTransport<float>;
template class ScalarTransport<double>;

}  // namespace solenoid
