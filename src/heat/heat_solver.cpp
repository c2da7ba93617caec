#include "heat/heat_solver.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

// TR-BDF2 in the form of Hosea & Shampine: stages at t, t + gamma dt, t + dt; weights w, w, d.
const double d = 1 - 1 / std::sqrt(2.0);
const double gamma = 2 * d;
const double w = std::sqrt(2.0) / 4;
// Weights of the embedded third-order formula.
const std::array<double, 3> embedded{(1 - w) / 3, (3 * w + 1) / 3, d / 3};

template <class Real>
CgSettings cg_settings(const SolverSettings& solver) {
    CgSettings settings{solver.tolerance.value_or(std::is_same_v<Real, double> ? 1e-10 : 1e-5),
                        solver.max_iterations};
    // long steps of what conducts well: a change that is nearly uniform, of which differences alone
    // count
    settings.takes_rounding = !solver.tolerance;
    return settings;
}

// a x + b y.
std::vector<double> sum_of(double a, const std::vector<double>& x, double b,
                           const std::vector<double>& y) {
    std::vector<double> result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = a * x[i] + b * y[i];
    return result;
}

}  // namespace

template <class Real>
HeatSolver<Real>::HeatSolver(const Domain& domain, const std::vector<MaterialSettings>& regions,
                             const std::vector<HeatBoundary>& boundaries, const Formula& initial,
                             const SolverSettings& settings, const CoupledNodes& coupled)
    : system_(domain, regions, boundaries, settings, coupled),
      cg_settings_(cg_settings<Real>(settings)),
      cg_(domain.comm, system_.matrix()),
      t_(system_.temperature(initial)),
      t_old_(domain.field<Real>(Kind::node)),
      change_(domain.device.buffer<Real>(domain.nodes.all)) {
    for (auto* part : {&rhs_, &guess_flow_, &f_[0], &f_[1], &f_[2]})
        *part = domain.device.buffer<Real>(domain.nodes.owned);
    system_.update_boundary(0);
    system_.impose_fixed_values(0, t_);
    register_state();
}

// The balance of the last step, preconditioners and totals stay as they are where a step is taken
// back.
template <class Real>
void HeatSolver<Real>::register_state() {
    const State<Real> state = State<Real>(system_.domain(), state_registry_).part("heat");
    state.add("temperature", t_);
    state.add("net_flow", f_[0], Kind::node);
    state.add("has_flow", has_flow_);
    state.add("time", time_);
    state.stack(last_watch_);
    state.stack(jump_);
    state.stack(jump_is_booked_);
    state.off_stack().template add<std::vector<double>>(
        "boundary_heat",
        [this] {
            std::vector<double> heat = balance_.boundary;  // none before the first step
            heat.resize(boundaries().parts().size());
            return heat;
        },
        [this](const std::vector<double>& heat) { balance_.boundary = heat; });
    state.off_stack().add("source", balance_.source);
    state.off_stack().add("storage", balance_.storage);
    solves_.register_state(state);
    system_.register_state(state);
    // a state is saved between steps, when no jump waits for its step
    state.off_stack().remade([this] {
        jump_.clear();
        jump_is_booked_ = false;
        balance_.is_contact = contacts();
        if (!has_flow_) return;
        system_.update_boundary(time_);
        last_watch_ = system_.watch(time_, t_, f_[0]);
    });
}

// ---- a step in time

// From T_0 at t over T_1 at t + gamma dt to T_2 at t + dt, F_i = b(t_i) - (K + H) T_i, s = 1 / (d
// dt).
template <class Real>
double HeatSolver<Real>::step(double dt, bool estimate_error) {
    begin_step();
    const double s = 1 / (d * dt), middle = time_ + gamma * dt;
    const Over own = system_.own();
    // loads by their integral over the step: what it exceeds w b_0 + w b_1 + d b_2 by is added to b
    // and to each F_i, whose weights add up to 1
    const bool is_corrected = parts_ && system_.loads_vary();
    const auto add_correction = [&](int i, double sign) {
        if (is_corrected) own[f_[i]] += sign * system_.load_correction_at_nodes();
    };
    if (is_corrected) begin_load_correction(dt);
    add_correction(0, 1);

    // Trapezoidal rule:   s M (T_1 - T_0) = F_0 + F_1
    solve_stage(middle, s, 1, 0, f_[1]);
    add_correction(1, -1);
    const Watch middle_watch = system_.watch(middle, t_, f_[1]);
    add_correction(1, 1);
    // first guess of T_2 on the line through T_0 and T_1:   (1 - 1/gamma) T_0 + 1/gamma T_1
    own[t_] = (1 - 1 / gamma) * t_old_ + 1 / gamma * t_;
    // BDF2:   s M (T_2 - T_0) = w/d (F_0 + F_1) + F_2
    solve_stage(time_ + dt, s, w / d, w / d, f_[2]);
    time_ += dt;

    // after the step: heat through the boundary, the balance over the step
    for (const int i : {0, 1, 2}) add_correction(i, -1);
    last_watch_ = system_.watch(time_, t_, f_[2]);
    update_balance(middle_watch, dt);
    system_.end_load_correction();
    double error = 0;
    if (estimate_error) {
        error = estimated_error();
        const double range = system_.temperature_range(t_, time_);
        if (error > 0) error /= range;  // 0 where all is 0, the range too
    }
    // F_2 is F_0 of the next step
    std::swap(f_[0], f_[2]);
    return error;
}

// An implicit stage that ends at `when` [s], from the guess T* in t_:
//   s M (T - T_0) = c0 F_0 + c1 F_1 + F(T),   T = T* + change,
//   (s M + K + H) change = s M (T_0 - T*) + c0 F_0 + c1 F_1 + F(T*)
// Leaves T in t_ and F(T) in f.
template <class Real>
void HeatSolver<Real>::solve_stage(double when, double s, double c0, double c1, Buffer<Real>& f) {
    const Over own = system_.own();
    // b, H, the matrix and the fixed temperatures at the stage's end
    system_.update_boundary(when);
    prepare(s);
    system_.impose_fixed_values(when, t_);
    // F(T*) = b - (K + H) T*
    system_.net_flow(t_, guess_flow_);
    own[rhs_] = system_.free() *
                (system_.mass() * (s * (t_old_ - t_)) + (c0 * f_[0] + c1 * f_[1]) + guess_flow_);
    own[change_] = 0;
    solve_for_change(cg_settings_, when);
    own[t_] += change_;
    // F(T) = b - (K + H) T
    system_.net_flow(t_, f);
}

// The root mean square by M of the difference of both formulas, smoothed by the stage's matrix
// (Hosea & Shampine) [K]:
//   (s M + K + H) change = ((w - e_0) F_0 + (w - e_1) F_1) / (d - e_2) + F_2,
//   error = (d - e_2) / d |change|
template <class Real>
double HeatSolver<Real>::estimated_error() {
    const double last = d - embedded[2];
    const double c0 = (w - embedded[0]) / last, c1 = (w - embedded[1]) / last;
    const Over own = system_.own();
    own[rhs_] = system_.free() * ((c0 * f_[0] + c1 * f_[1]) + f_[2]);
    own[change_] = 0;
    const double largest = solves_.residual;
    solve_for_change({1e-3, cg_settings_.max_iterations}, time_);
    // this solve may be rough: its residual says nothing of the temperature
    solves_.residual = largest;
    const double square =
        system_.comm().sum(own.dot(system_.comm(), system_.mass() * change_, change_));
    return std::sqrt(square / system_.total_mass()) * last / d;
}

template <class Real>
void HeatSolver<Real>::prepare(double s) {
    preconditioner_ = &system_.prepare(s);
    solves_.preconditioner = system_.preconditioner_summary();
}

// change = (s M + K + H)^-1 rhs on free nodes, from the guess in it. `when` is for the message [s].
template <class Real>
void HeatSolver<Real>::solve_for_change(const CgSettings& how, double when) {
    const SolveReport report = cg_.solve(*preconditioner_, rhs_, change_, how);
    solves_.add(report);
    if (report.converged()) return;
    system_.comm().agree([&] {
        throw ComputationError(fmt::format("temperature at t = {:.6g} s: {}", when,
                                           report.explanation("temperature")));
    });
}

// Of smooth loads the correction is of second order in dt, as the error of the weights.
template <class Real>
void HeatSolver<Real>::begin_load_correction(double dt) {
    std::vector<TimePoint> points = quadrature(parts_, time_, time_ + dt);
    for (TimePoint& point : points) point.weight /= dt;
    system_.begin_load_correction(points, {{time_, w}, {time_ + gamma * dt, w}, {time_ + dt, d}});
}

// ---- before and after steps

// F of the first step, and what the step starts from.
template <class Real>
void HeatSolver<Real>::begin_step() {
    system_.end_load_correction();  // of a step that failed
    if (std::exchange(jump_is_booked_, false)) jump_.clear();
    if (!has_flow_) {
        system_.update_boundary(time_);
        system_.net_flow(t_, f_[0]);
        last_watch_ = system_.watch(time_, t_, f_[0]);
        has_flow_ = true;
    }
    first_watch_ = last_watch_;
    t_old_.copy(t_);
}

template <class Real>
void HeatSolver<Real>::restart() {
    const std::vector<double> before = last_watch_.temperature;
    system_.impose_fixed_values(time_, t_);
    system_.update_boundary(time_);
    system_.net_flow(t_, f_[0]);
    last_watch_ = system_.watch(time_, t_, f_[0]);
    jump_.clear();
    jump_is_booked_ = false;
    if (std::exchange(has_flow_, true))  // else it is the start
        for (std::size_t k = 0; k < system_.boundaries().fixed_nodes().size(); ++k)
            jump_.push_back(last_watch_.temperature[k] - before[k]);
}

template <class Real>
std::vector<double> HeatSolver<Real>::temperature() const {
    const std::vector<Real> values = t_.with_ghosts().download();
    return {values.begin(), values.end()};
}

// ---- the steady state

// (K + H) T = b. With T = G + change, G the fixed temperatures and 0 elsewhere:
//   (K + H) change = b - (K + H) G on free nodes
template <class Real>
void HeatSolver<Real>::solve_steady() {
    anchor();
    prepare(0);
    const Over own = system_.own();
    t_old_.copy(t_);
    own[t_] = 0;
    system_.impose_fixed_values(0, t_);
    system_.residual(t_, rhs_);
    // from the initial temperature, 0 where it is fixed
    own[change_] = system_.free() * t_old_;
    solve_for_change(cg_settings_, 0);
    own[t_] += change_;
    system_.restore_means(t_);
    system_.net_flow(t_, f_[0]);
    auto seen = system_.watch(0, t_, f_[0]);
    const Communicator& comm = system_.comm();
    comm.sum(seen.flow);
    balance_ = {seen.flow, contacts(), comm.sum(seen.source), 0};
}

// ---- the balance of heat

double HeatBalance::imbalance() const {
    double sum = source - storage;
    for (std::size_t p = 0; p < boundary.size(); ++p)
        if (!is_contact[p]) sum += boundary[p];
    return sum;
}

template <class Real>
std::vector<bool> HeatSolver<Real>::contacts() const {
    std::vector<bool> are;
    for (const BoundaryPart& part : boundaries().parts())
        are.push_back(part.condition().resistance());
    return are;
}

// Mean flows over the step by the weights of the method, so that they balance what is stored:
//   boundary = w flow_0 + w flow_1 + d flow_2 + M dT/dt of its fixed nodes,
//   storage  = sum of M (T_2 - T_0) / dt
template <class Real>
void HeatSolver<Real>::update_balance(const Watch& middle, double dt) {
    const Communicator& comm = system_.comm();
    const std::vector<Index>& fixed = system_.boundaries().fixed_nodes();
    std::vector<double> flow =
        sum_of(1, sum_of(w, first_watch_.flow, w, middle.flow), d, last_watch_.flow);
    std::vector<double> heating(fixed.size());
    for (std::size_t k = 0; k < heating.size(); ++k)
        heating[k] = system_.host_mass()[fixed[k]] *
                     (last_watch_.temperature[k] - first_watch_.temperature[k]) / dt;
    const double by_jump = heating_by_jump(heating, dt);
    const auto& correction = system_.load_correction();
    if (!correction.flow.empty()) flow = sum_of(1, flow, 1, correction.flow);
    if (!correction.at_nodes.empty())
        for (std::size_t k = 0; k < heating.size(); ++k)
            heating[k] -= correction.at_nodes[fixed[k]];
    std::vector<RankSum> parts(flow.begin(), flow.end());
    system_.boundaries().add_reactions(heating, parts);
    flow = totals(comm, std::move(parts));
    const double stored =
        comm.sum(system_.own().sum(comm, product(system_.mass(), t_ - t_old_)) + by_jump * dt);
    jump_is_booked_ = true;
    balance_ = {flow, contacts(),
                comm.sum(w * first_watch_.source + w * middle.source + d * last_watch_.source +
                         correction.source),
                stored / dt};
}

// Adds what the jump before the step stores, over dt [W]; returns the sum on this rank.
template <class Real>
double HeatSolver<Real>::heating_by_jump(std::vector<double>& heating, double dt) const {
    RankSum sum;
    for (std::size_t k = 0; k < jump_.size(); ++k) {
        const double rate =
            system_.host_mass()[system_.boundaries().fixed_nodes()[k]] * jump_[k] / dt;
        heating[k] += rate;
        sum += rate;
    }
    return shares(system_.comm(), {sum})[0];
}

template <class Real>
HeatSolver<Real>::~HeatSolver() = default;

template class HeatSolver<float>;
template class HeatSolver<double>;

}  // namespace solenoid
