#include "heat/heat_solver.hpp"

#include <cmath>
#include <utility>

#include "device/expression.hpp"

namespace solenoid {
namespace {

// TR-BDF2 in the form of Hosea & Shampine: stages at t, t + gamma dt, t + dt; weights w, w, d.
const double d = 1 - 1 / std::sqrt(2.0);
const double gamma = 2 * d;
const double w = std::sqrt(2.0) / 4;
// Weights of the embedded third-order formula.
const std::array<double, 3> embedded{(1 - w) / 3, (3 * w + 1) / 3, d / 3};

std::vector<double> sum_of(double a, const std::vector<double>& x, double b,
                           const std::vector<double>& y) {
    std::vector<double> result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = a * x[i] + b * y[i];
    return result;
}

}  // namespace

double HeatBalance::imbalance() const {
    double sum = source - storage;
    for (std::size_t p = 0; p < boundary.size(); ++p)
        if (!is_contact[p]) sum += boundary[p];
    return sum;
}

template <class Real>
HeatSolver<Real>::HeatSolver(const Domain& domain, const std::vector<MaterialSettings>& regions,
                             const std::vector<HeatBoundary>& boundaries, const Formula& initial,
                             const SolverSettings& settings, const CoupledNodes& coupled)
    : system_(domain, regions, boundaries, settings, coupled),
      t_(system_.temperature(initial)),
      t_old_(domain.field<Real>(Kind::node)),
      change_(domain.device.buffer<Real>(domain.nodes.all)) {
    for (auto* part : {&rhs_, &guess_rate_, &rate_[0], &rate_[1], &rate_[2]})
        *part = domain.device.buffer<Real>(domain.nodes.owned);
    system_.update_boundary(0);
    system_.impose_fixed_values(0, t_);
}

template <class Real>
std::vector<bool> HeatSolver<Real>::contacts() const {
    std::vector<bool> are;
    for (const BoundaryPart& part : boundaries().parts())
        are.push_back(part.condition().resistance());
    return are;
}

template <class Real>
void HeatSolver<Real>::solve_steady() {
    anchor();
    system_.prepare(0);
    // b of the free unknowns: loads less what the fixed values contribute, with t holding those
    // values alone.
    const Over own = system_.own();
    t_old_.copy(t_);
    own[t_] = 0;
    system_.impose_fixed_values(0, t_);
    system_.residual(t_, rhs_);
    // The unknowns start from the initial temperature, 0 where fixed.
    own[change_] = system_.free() * t_old_;
    system_.solve(rhs_, change_, system_.cg_settings(), 0);
    own[t_] += change_;
    system_.restore_means(t_);
    system_.net_flow(t_, rate_[0]);
    auto seen = system_.watch(0, t_, rate_[0]);
    const Communicator& comm = system_.comm();
    comm.sum(seen.flow);
    balance_ = {seen.flow, contacts(), comm.sum(seen.source), 0};
}

// One implicit stage that ends at `when`: solves for the change of t, adds it, and leaves F there
// in `f`.
template <class Real>
void HeatSolver<Real>::stage(double when, double s, double c0, double c1, Buffer<Real>& f) {
    system_.update_boundary(when);
    system_.prepare(s);
    system_.impose_fixed_values(when, t_);
    system_.net_flow(t_, guess_rate_);
    const Over own = system_.own();
    own[rhs_] = system_.free() * (system_.mass() * (s * (t_old_ - t_)) +
                                  (c0 * rate_[0] + c1 * rate_[1]) + guess_rate_);
    own[change_] = 0;
    system_.solve(rhs_, change_, system_.cg_settings(), when);
    own[t_] += change_;
    system_.net_flow(t_, f);
}

template <class Real>
double HeatSolver<Real>::step(double dt, bool estimate_error) {
    if (std::exchange(jump_is_booked_, false)) jump_.clear();
    if (!has_rate_) {
        system_.update_boundary(time_);
        system_.net_flow(t_, rate_[0]);
        last_watch_ = system_.watch(time_, t_, rate_[0]);
        has_rate_ = true;
    }
    first_watch_ = last_watch_;
    old_time_ = time_;
    t_old_.copy(t_);

    const bool lacks = parts_ && system_.loads_vary();
    const Over own = system_.own();
    // by what the step's weights lack, which is no part of the rate at a time
    const auto shift_rate = [&](int i, double sign) {
        if (lacks) own[rate_[i]] += sign * system_.lack_values();
    };
    if (lacks) set_lack(dt);
    shift_rate(0, 1);
    stage(time_ + gamma * dt, 1 / (d * dt), 1, 0, rate_[1]);
    shift_rate(1, -1);
    const auto middle = system_.watch(time_ + gamma * dt, t_, rate_[1]);
    shift_rate(1, 1);
    own[t_] = (1 - 1 / gamma) * t_old_ + 1 / gamma * t_;
    stage(time_ + dt, 1 / (d * dt), w / d, w / d, rate_[2]);
    time_ += dt;
    for (const int i : {0, 1, 2}) shift_rate(i, -1);
    last_watch_ = system_.watch(time_, t_, rate_[2]);
    add_up(middle, dt);
    system_.take_lack();

    double error = 0;
    if (estimate_error) {
        error = estimated_error(time_);
        const double range = system_.temperature_range(t_, time_);
        if (error > 0) error /= range;  // 0 where all is 0, the range too
    }
    std::swap(rate_[0], rate_[2]);
    return error;
}

// Added to all stages alike, whose weights add up to 1. Of smooth loads it is of second order in
// dt, as the weights' own error.
template <class Real>
void HeatSolver<Real>::set_lack(double dt) {
    std::vector<TimePoint> points = quadrature(parts_, time_, time_ + dt);
    for (TimePoint& point : points) point.weight /= dt;
    system_.set_lack(points, {{time_, w}, {time_ + gamma * dt, w}, {time_ + dt, d}});
}

// Mean flows over the step, with the weights of the method, so that they balance what is stored.
template <class Real>
void HeatSolver<Real>::add_up(const Watch& middle, double dt) {
    const Communicator& comm = system_.comm();
    const std::vector<Index>& fixed = system_.boundaries().fixed_nodes();
    std::vector<double> flow =
        sum_of(1, sum_of(w, first_watch_.flow, w, middle.flow), d, last_watch_.flow);
    std::vector<double> heating(fixed.size());
    for (std::size_t k = 0; k < heating.size(); ++k)
        heating[k] = system_.host_mass()[fixed[k]] *
                     (last_watch_.temperature[k] - first_watch_.temperature[k]) / dt;
    const double by_jump = heating_by_jump(heating, dt);
    const auto& lack = system_.lack();
    if (!lack.flow.empty()) flow = sum_of(1, flow, 1, lack.flow);
    if (!lack.at_nodes.empty())
        for (std::size_t k = 0; k < heating.size(); ++k) heating[k] -= lack.at_nodes[fixed[k]];
    system_.boundaries().add_reactions(heating, flow);
    comm.sum(flow);
    const double stored =
        comm.sum(system_.own().sum(product(system_.mass(), t_ - t_old_)) + by_jump * dt);
    jump_is_booked_ = true;
    balance_ = {flow, contacts(),
                comm.sum(w * first_watch_.source + w * middle.source + d * last_watch_.source +
                         lack.source),
                stored / dt};
}

// Adds what the jump before the step takes, a second of the step [W]; all of it on this rank.
template <class Real>
double HeatSolver<Real>::heating_by_jump(std::vector<double>& heating, double dt) const {
    double sum = 0;
    for (std::size_t k = 0; k < jump_.size(); ++k) {
        const double rate =
            system_.host_mass()[system_.boundaries().fixed_nodes()[k]] * jump_[k] / dt;
        heating[k] += rate;
        sum += rate;
    }
    return sum;
}

// Root mean square of the difference between the two formulas, smoothed by the stage's matrix
// (Hosea & Shampine).
template <class Real>
double HeatSolver<Real>::estimated_error(double when) {
    const double last = d - embedded[2];
    const double c0 = (w - embedded[0]) / last, c1 = (w - embedded[1]) / last;
    const Over own = system_.own();
    own[rhs_] = system_.free() * ((c0 * rate_[0] + c1 * rate_[1]) + rate_[2]);
    own[change_] = 0;
    SolveTotals& solves = system_.solves();
    const double largest = solves.residual;
    system_.solve(rhs_, change_, {1e-3, system_.cg_settings().max_iterations}, when);
    // this solve may be rough: its residual says nothing of the temperature
    solves.residual = largest;
    const double square = system_.comm().sum(own.dot(system_.mass() * change_, change_));
    return std::sqrt(square / system_.total_mass()) * last / d;
}

template <class Real>
void HeatSolver<Real>::undo() {
    t_.copy(t_old_);
    std::swap(rate_[0], rate_[2]);
    time_ = old_time_;
    last_watch_ = first_watch_;
    jump_is_booked_ = false;
}

template <class Real>
void HeatSolver<Real>::restart() {
    const std::vector<double> before = last_watch_.temperature;
    system_.impose_fixed_values(time_, t_);
    system_.update_boundary(time_);
    system_.net_flow(t_, rate_[0]);
    last_watch_ = system_.watch(time_, t_, rate_[0]);
    jump_.clear();
    jump_is_booked_ = false;
    if (std::exchange(has_rate_, true))  // else it is the start
        for (std::size_t k = 0; k < system_.boundaries().fixed_nodes().size(); ++k)
            jump_.push_back(last_watch_.temperature[k] - before[k]);
}

template <class Real>
std::vector<double> HeatSolver<Real>::temperature() const {
    const std::vector<Real> values = t_.with_ghosts().download();
    return {values.begin(), values.end()};
}

template class HeatSolver<float>;
template class HeatSolver<double>;

}  // namespace solenoid
