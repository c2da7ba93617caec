#include "flow/scalar/scalar_transport.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
      convection_(scheme_.convection(ConvectedField<Real>{domain, flow, stencil})),
      flows_(domain, flow, boundaries_) {
    if (stencil.explicit_diffusion_bound > most_of_explicit_diffusion_of_scalars)
        deferred_ =
            std::make_unique<DeferredDiffusion<Real>>(domain, flow, stencil, boundaries_, faces_);
    if (boundaries_.has_inflow_values())
        entering_ = std::make_unique<EnteringFluid<Real>>(domain, boundaries_);
    if (scheme_.keeps_range()) flux_limiter_ = std::make_unique<FluxLimiter<Real>>(domain, stencil);
    for (auto* field : {&state_.now, &high_, &low_}) *field = recovery_.scalar();
    defect_ = domain.field<Real>(Kind::cell, 1, stencil.boundary_faces.size());
    for (auto* field : {&state_.gained, &state_.left, &left_, &rhs_, &wall_, &rate_of_gain_, &net_})
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
    widen_range({initial.begin(), initial.begin() + domain_.cells.owned});
    state_.range = state_.greatest - state_.least;
}

template <class Real>
void ScalarTransport<Real>::register_state(const State<Real>& motion, const State<Real>& found) {
    Passed& s = state_;
    motion.add("values", static_cast<Field<Real>&>(s.now));
    motion.add("values_before", before_);
    motion.add("carried", s.carried);
    motion.add("flowed", s.flowed);
    motion.add("transport", s.transport);
    motion.add("flux", s.flux);
    motion.add("residual", s.left);
    if (has_gain_) motion.add("gained", s.gained);
    if (scheme_.keeps_range()) {
        motion.add("given_flux", s.given_flux);
        motion.add("range", s.range);
        motion.add("least", s.least, perhaps_infinite);
        motion.add("greatest", s.greatest, perhaps_infinite);
        motion.add("last_step", s.last_step, not_negative);
        if (has_gain_) {
            motion.add("least_gained", s.least_gained);
            motion.add("most_gained", s.most_gained);
        }
        motion.off_stack().add("parts", parts_, {.least = 1});
    }
    flows_.register_state(motion.part("flows"));
    motion.stack(advanced_);
    motion.stack(unsolved_);
    if (entering_) {
        motion.stack(boundaries_.enters());
        motion.off_stack().remade([this] { entering_->update(state_.flux); });
        motion.remade([this] { sort_faces(); });
    }
    faces_.register_state(motion.part("faces"));
    if (boundaries_.depends_on_time()) {
        motion.add("least_given", least_given_, perhaps_infinite);
        motion.add("greatest_given", greatest_given_, perhaps_infinite);
    }
    if (boundaries_.depends_on_time() || faces_.changes() || entering_) {
        motion.add("time", seen_);
        motion.remade([this] { set_boundary(seen_); });
    }
    diffusion_.register_state(motion, found, faces_);
}

// The diffusivity and the boundary's values at a time, and what they diffuse into their cells.
template <class Real>
void ScalarTransport<Real>::update(double time) {
    const bool conducts_anew = faces_.update(time);
    if (conducts_anew) diffusion_.update(faces_);
    if (is_seen_ && !conducts_anew && (!boundaries_.depends_on_time() || time == seen_)) return;
    is_seen_ = true;
    seen_ = time;
    const GivenValues given = set_boundary(time);
    widen_range(given.at_faces);
    widen_range(given.at_nodes);
}

// The boundary's values at a time, and what they diffuse into their cells.
template <class Real>
auto ScalarTransport<Real>::set_boundary(double time) -> GivenValues {
    GivenValues given;
    domain_.comm.agree([&] {
        given = {boundaries_.face_values(time), boundaries_.node_values(time)};
    });
    recovery_.update(given.at_faces, given.at_nodes);
    wall_.upload(faces_.conducted_from_boundary(given.at_faces));
    given_at_faces_ = given.at_faces;
    return given;
}

// The lists of ScalarBoundaries have changed; values follow by set_boundary().
template <class Real>
void ScalarTransport<Real>::sort_faces() {
    boundaries_.sort();
    faces_.sort();
    recovery_.take(boundaries_);
    if (deferred_) deferred_->take(boundaries_);
    is_seen_ = false;
}

// The range of the data includes these. Collective.
template <class Real>
void ScalarTransport<Real>::widen_range(const std::vector<double>& values) {
    const auto [least, greatest] = std::ranges::minmax_element(values);
    const double from = domain_.comm.min(values.empty() ? HUGE_VAL : *least),
                 to = domain_.comm.max(values.empty() ? -HUGE_VAL : *greatest);
    state_.least = std::min(state_.least, from);
    state_.greatest = std::max(state_.greatest, to);
    least_given_ = std::min(least_given_, from);
    greatest_given_ = std::max(greatest_given_, to);
}

// ---- a step

template <class Real>
void ScalarTransport<Real>::advance(const Field<Real>& flux, double time, double dt, double w) {
    before_.copy(state_.now);
    flows_.begin();
    unsolved_ = {};
    advanced_ = dt;
    if (!scheme_.keeps_range()) return step(flux, time, {dt, w});
    // a scheme that keeps the range makes long steps in parts, by fluxes extrapolated from the last
    // two:   U(t) = U + t dU/dt,   dU/dt = (U - U_before) / dt_before
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

// BDF2 as sums of what passes the faces. With V (T - T_before) = -D F_before + ...:
//   V (T' - T) = -D F + T D Phi + S,   F = c F_before + s ((1 + w) N - w N_before) - s k (T'_b -
//   T'_a), s = dt / a,   c = w^2 / (1 + 2 w)
// N is the explicit transport of a face and N_before that of the step before; the volume Phi that
// flows through it and the sources S add up alike.
template <class Real>
void ScalarTransport<Real>::step(const Field<Real>& flux, double time, const Bdf2& bdf2) {
    const double s = bdf2.reach(), when = time + bdf2.dt;
    const Over own = domain_.own(Kind::cell);
    if (entering_ && entering_->update(flux)) {
        sort_faces();
        diffusion_.update_boundary(faces_);
    }
    // diffusivity and boundary values at the start;   N = U T_f - explicit diffusion, if any
    update(time);
    update_transport(flux);
    flows_.take_transport(transport_, flux, given_at_faces_, bdf2);
    // and at the end of the step
    update(when);
    // F = c F_before + s ((1 + w) N - w N_before)
    add_up(transport_, state_.transport, state_.carried, bdf2);
    // Phi = c Phi_before + s ((1 + w) U - w U_before)
    add_up(flux, state_.flux, state_.flowed, bdf2);
    // S = c S_before + s S'
    add_gain(bdf2, when);
    // (V / s + K) T' = (V T - D F + T D Phi + S + residual) / s + K T_b, with the deferred part of
    // diffusion where all of it is implicit
    high_.copy(state_.now);
    solve(state_.carried, 1 / s, high_, when, true);
    // the residual enters the next step
    own[left_] = s * diffusion_.residual();
    // F -= s k (T'_b - T'_a)
    faces_.add_conduction(s, high_, state_.carried);
    if (deferred_)
        domain_.shared(Kind::face)[state_.carried] +=
            s * deferred_->through_faces(high_, recovery_.face_values());
    // F and T' within the range of the data
    if (scheme_.keeps_range()) bound(bdf2.dt, when);
    flows_.take_carried(state_.carried);
    note_unsolved();
    state_.now.copy(high_);
    state_.left.copy(left_);
    state_.last_step = bdf2.dt;
    const double square = own.dot(domain_.comm, high_, high_);
    if (domain_.comm.any(!std::isfinite(square)))
        check_finite(domain_, state_.now, settings_.name, when);
}

// What the flux's divergence makes in the step, T D Phi, and what its solve leaves to the next one.
template <class Real>
void ScalarTransport<Real>::note_unsolved() {
    domain_.operators<Real>().divergence(state_.flowed, net_);
    const Over own = domain_.own(Kind::cell);
    std::array<RankSum, 2> sums{own.dot(domain_.comm, state_.now, net_),
                                own.sum(domain_.comm, left_)};
    sums[1] -= own.sum(domain_.comm, state_.left);
    domain_.comm.sum(sums);
    for (std::size_t i = 0; i < sums.size(); ++i) unsolved_[i] += sums[i];
}

// transport_ = N: convection and explicit diffusion, if any, through the faces.
template <class Real>
void ScalarTransport<Real>::update_transport(const Field<Real>& flux) {
    const Field<Real>& at_nodes = state_.now.at_nodes();
    kernels::ScalarCellDefect<Real>{.dimension = d_,
                                    .node = stencil_.cell_nodes,
                                    .u = state_.now,
                                    .t = at_nodes,
                                    .value = defect_}
        .run();
    using Diffusion = typename ScalarFaces<Real>::Diffusion;
    convection_->to_faces({state_.now, defect_, at_nodes, flux},
                          deferred_ ? faces_.no_diffusion() : faces_.explicit_diffusion(),
                          transport_);
    faces_.to_boundary_faces({state_.now, defect_, at_nodes, recovery_.face_values()}, flux,
                             transport_, deferred_ ? Diffusion::none : Diffusion::deferred);
}

// The flux `later` seconds after `flux`.
template <class Real>
void ScalarTransport<Real>::extrapolate(const Field<Real>& flux, double later) {
    domain_.shared(Kind::face)[extrapolated_] = flux + later * growth_;
}

template <class Real>
double ScalarTransport<Real>::courant_rate(const Field<Real>& flux) const {
    return std::max(
        0.0,
        domain_.comm.max(kernels::CourantNumber<Real>{
            .dimension = d_, .face = stencil_.cell_faces, .volume = stencil_.volume, .flux = flux}
                             .run(domain_.own(Kind::cell))
                             .rate));
}

// passed = c passed + s ((1 + w) rate - w before),   before = rate.
template <class Real>
void ScalarTransport<Real>::add_up(const Field<Real>& rate, Field<Real>& before,
                                   Field<Real>& passed, const Bdf2& bdf2) {
    const double s = bdf2.reach(), c = bdf2.kept(), w = bdf2.w;
    domain_.shared(Kind::face)[passed] = c * passed + (s * (1 + w) * rate - s * w * before);
    before.copy(rate);
}

// Adds V S + what the given fluxes of open faces bring, of owned cells at a time, by its weight [T
// m^3/s, in 2D T m^2/s].
template <class Real>
void ScalarTransport<Real>::add_gains(const TimePoint& point, std::vector<double>& of_cells,
                                      typename ScalarFlows<Real>::Gains& sums) const {
    std::vector<double> gains(domain_.cells.owned);
    for (Index cell = 0; cell < domain_.cells.owned; ++cell) {
        gains[cell] = domain_.geometry.cell_volume[cell] *
                      settings_.source.finite_value(domain_.geometry.cell_centroid[cell], point.t);
        sums[0] += point.weight * gains[cell];
    }
    const std::vector<double> diffused = boundaries_.diffused_in(point.t);
    for (std::size_t i = 0; i < diffused.size(); ++i)
        gains[flow_.faces().cells[boundaries_.open()[i]]] += diffused[i];
    flows_.add_diffused(diffused, point.weight, sums);
    for (Index cell = 0; cell < domain_.cells.owned; ++cell)
        of_cells[cell] += point.weight * gains[cell];
}

// S = c S_before + s S', S' the gain at the end of the step. With integrate_over() S is the
// integral of the gain over the step: BDF2 with S' = (integral - c integral_before) / s, of second
// order, too.
template <class Real>
void ScalarTransport<Real>::add_gain(const Bdf2& bdf2, double when) {
    if (!has_gain_) return;
    const bool is_integral = time_parts_ && gain_varies_;
    const double s = is_integral ? 1 : bdf2.reach(), c = is_integral ? 0 : bdf2.kept();
    std::vector<Real> values(domain_.cells.all, Real(0));
    double most = 0, least = 0;
    typename ScalarFlows<Real>::Gains sums = flows_.no_gains();
    domain_.comm.agree([&] {
        std::vector<double> gained(domain_.cells.all, 0.0);
        for (const TimePoint& point : is_integral ? quadrature(time_parts_, when - bdf2.dt, when)
                                                  : std::vector<TimePoint>{{when, 1}})
            add_gains(point, gained, sums);
        for (Index cell = 0; cell < domain_.cells.owned; ++cell) {
            most = std::max(most, gained[cell] / domain_.geometry.cell_volume[cell]);
            least = std::min(least, gained[cell] / domain_.geometry.cell_volume[cell]);
        }
        values.assign(gained.begin(), gained.end());
    });
    flows_.take_gains(std::move(sums), c, s);
    rate_of_gain_.upload(values);
    domain_.own(Kind::cell)[state_.gained] = c * state_.gained + s * rate_of_gain_;
    state_.most_gained = c * state_.most_gained + s * domain_.comm.max(most);
    state_.least_gained = c * state_.least_gained + s * domain_.comm.min(least);
    state_.greatest += state_.most_gained;
    state_.least += state_.least_gained;
}

// x = T' of (rate V + K) T' = rate (V T - D carried + T D Phi + S + residual) + K T_b, from the
// guess in it. is_whole: with the deferred part of diffusion, where it is implicit.
template <class Real>
void ScalarTransport<Real>::solve(const Field<Real>& carried, double rate, CellField<Real>& x,
                                  double when, bool is_whole) {
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
        .run();
    const double most = scheme_.keeps_range() ? range().margin : HUGE_VAL;
    if (is_whole && deferred_ && faces_.conducts())
        diffusion_.solve_whole(rate, rhs_, x, *deferred_, recovery_.face_values(), when, most);
    else
        diffusion_.solve(rate, rhs_, x, when, most);
}

// The monotone step T_L, F_L: Euler's, explicit and upwind with the volume Phi that flows in the
// step, implicit with diffusion between neighbours.
template <class Real>
void ScalarTransport<Real>::solve_low(double dt, double when) {
    // F_L = Phi T_upwind
    faces_.upwind(state_.flowed, state_.now, low_carried_);
    flows_.take_monotone(low_carried_);
    // (V / dt + K) T_L = (V T - D F_L + T D Phi + S + residual) / dt + K T_b
    low_.copy(state_.now);
    solve(low_carried_, 1 / dt, low_, when, false);
    // F_L -= dt k (T_L,b - T_L,a)
    faces_.add_conduction(dt, low_, low_carried_);
}

// Where T' leaves the range of the data: F = F_L + (F - F_L) limited so that it stays in it
// (Zalesak 1979; FluxLimiter). docs/numerics.md, "Scalars".
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
    const Field<Real>& cut = flux_limiter_->limit(range, low_, excess_, high_);
    flows_.cut(excess_, cut);
    domain_.shared(Kind::face)[state_.carried] -= cut;
}

template <class Real>
std::array<double, 2> ScalarTransport<Real>::extremes(const Buffer<Real>& values) const {
    const auto [low, high] = domain_.own(Kind::cell).reduce(least(values), greatest(values));
    return {domain_.comm.min(low), domain_.comm.max(high)};
}

// The range of the data. Its margin is 1e-7 of the range of the values, which may be much smaller
// where sources have widened that of the data.
template <class Real>
typename FluxLimiter<Real>::ValueRange ScalarTransport<Real>::range() const {
    const double rounding = std::numeric_limits<Real>::epsilon() *
                            std::max(std::abs(state_.least), std::abs(state_.greatest));
    return {state_.least, state_.greatest, 1e-7 * state_.range + 4 * rounding, 0};
}

// With sources and given fluxes the range is at least that of the present values; else these are
// within that of the data.
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
    const auto set = [&](const std::vector<Index>& where, const auto& values) {
        for (std::size_t i = 0; i < values.size(); ++i)
            at_face[flow_.faces().faces[where[i]]] = values[i];
    };
    set(boundaries_.given(), faces_.diffused_in(state_.now, at_nodes, recovery_.face_values()));
    set(boundaries_.open(), boundaries_.diffused_in(seen_));
    std::vector<RankSum> sums(m.boundaries.size());
    for (const Side& side : m.sides)
        if (side.face < domain_.faces.owned) sums[side.boundary] += at_face[side.face];
    domain_.comm.sum(std::span<RankSum>(sums));
    return {sums.begin(), sums.end()};
}

template <class Real>
ScalarBalance ScalarTransport<Real>::balance() {
    if (!(advanced_ > 0)) {
        const std::vector<double> none(domain_.mesh.mesh.boundaries.size(), 0.0);
        return {none, none};
    }
    ScalarBalance balance = flows_.balance(advanced_);
    std::array<RankSum, 1> stored{
        domain_.own(Kind::cell).dot(domain_.comm, stencil_.volume, state_.now - before_)};
    domain_.comm.sum(stored);
    balance.divergence = unsolved_[0] / advanced_;
    balance.storage = (stored[0] + unsolved_[1]) / advanced_;
    return balance;
}

template <class Real>
ScalarTransport<Real>::~ScalarTransport() = default;

template class ScalarTransport<float>;
template class ScalarTransport<double>;

}  // namespace solenoid
