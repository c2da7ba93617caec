#include "flow/run/divergence_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/run/place_of_largest.hpp"
#include "run/simplices/simplices.hpp"
#include "run/step_repeats.hpp"

namespace solenoid {
namespace {

// Largest kinetic energy relative to the accounted one, per unit of mass: of the mean, and of one
// cell, since eddies and contractions concentrate it. The speeds are 3 and 30 times as large.
constexpr double most_mean_energy = 10, most_energy = 1000;
constexpr double most_amplification = 100;  // of the boundaries' speed, by contractions
constexpr double rise = 1.5;                // of that speed, or of an inflow: measured again
constexpr double least_reach = 1e-4;        // of the way of a step, relative to the longest so far
// Courant number relative to the limit at which a step chosen by the run has misjudged the flow.
constexpr double hopeless = 100;
// Courant number of a proposed step relative to the limit: the flow may accelerate.
constexpr double share_of_limit = 0.6;
constexpr double least_margin = 0.01;  // of a scalar, relative to its values, where all are equal

double rounded_down(double value) {
    const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
    return std::floor(value / unit) * unit;
}

std::string scheme(const FlowSettings& flow) {
    const std::string time_scheme = flow.time_scheme == FlowSettings().time_scheme
                                        ? ""
                                        : fmt::format(", time_scheme \"{}\"", flow.time_scheme);
    return fmt::format("method \"{}\", momentum \"{}\", convection \"{}\"{}", flow.method,
                       flow.momentum, flow.convection, time_scheme);
}

std::string shorter_steps(const TimeSettings& time) {
    return time.step ? "a smaller time.step" : "a smaller time.courant";
}

// The remedy for a flow or scalar that grows without bound.
std::string remedy(const FlowSettings& flow, const TimeSettings& time) {
    if (const std::string usual = FlowSettings().momentum; flow.momentum != usual)
        return fmt::format("take {}, or flow.momentum = \"{}\"", shorter_steps(time), usual);
    if (!convection_scheme(flow.convection).is_undamped())
        return fmt::format("take {}, or a finer mesh", shorter_steps(time));
    return fmt::format(
        "take flow.convection = \"blended\", which tolerates a mesh this coarse; else a finer "
        "mesh, or {}",
        shorter_steps(time));
}

}  // namespace

void check_courant(const CaseSettings& settings, const FlowSolver& solver,
                   const std::string& place) {
    const FlowCase& flow = settings_of<FlowCase>(settings);
    if (!settings.time.step && flow.courant > solver.courant_limit())
        throw InputError(
            place,
            fmt::format("[time] courant = {} exceeds the limit of the scheme ({}): take {} or less",
                        flow.courant, scheme(flow.flow), solver.courant_limit()));
}

void check_courant(const Run& run, FlowSolver& solver) {
    run.comm.agree([&] { check_courant(run.settings, solver, run.settings.place); });
}

DivergenceGuard::DivergenceGuard(const Run& run, FlowSolver& solver, FlowData& data)
    : run_(run),
      flow_(settings_of<FlowCase>(run.settings)),
      solver_(solver),
      data_(data),
      initial_speed_(solver.largest_speed()) {
    for (std::size_t i = 0; i < flow_.scalars.size(); ++i) {
        const auto [low, high] = data.initial_scalar(static_cast<int>(i));
        scalars_.push_back({low, high});
    }
    account_for(solver.time(), 0);
}

void DivergenceGuard::register_state(const StateValues& state) {
    state.add("initial_speed", initial_speed_);
    state.add("boundary_speed", boundary_speed_);
    state.add("amplification", amplification_);
    state.add("measured_speed", measured_speed_);
    state.add("measured_inflow", measured_inflow_);
    state.add("pressure_speed", pressure_speed_);
    state.add("impulse", impulse_);
    state.add("reach", reach_);
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
        const std::string& name = flow_.scalars[i].name;
        const StateValues one = state.owned_by("scalar", name).part(name);
        one.add("low", scalars_[i].low);
        one.add("high", scalars_[i].high);
    }
}

void DivergenceGuard::fail(const std::string& message) const {
    try {
        run_.comm.agree([&] { throw ComputationError(message); });
    } catch (const AgreedError& error) {
        throw FinalError(error);
    }
    throw ComputationError(message);  // not reached
}

void DivergenceGuard::fail_unbounded(const std::string& message) const {
    fail(fmt::format("{} ({}): {}", message, scheme(flow_.flow),
                     remedy(flow_.flow, run_.settings.time)));
}

// ---- What the case accounts for

// Updates the accounted speeds. In contractions a flow is faster than the boundaries that drive it:
// the ratio is measured as soon as they move and again where they have become faster, since the one
// that moved first need not be the one before a contraction. The largest ratio holds.
void DivergenceGuard::account_for(double time, double length) {
    const double moved = std::max(data_.boundary_speed(time), data_.imposed_speed(time));
    pressure_speed_ = std::max(pressure_speed_, data_.pressure_speed(time));
    const std::vector<TimePoint> points = parts_ && length > 0
                                              ? quadrature(parts_, time - length, time)
                                              : std::vector<TimePoint>{{time, length}};
    for (const TimePoint& point : points)
        impulse_ += point.weight * data_.body_acceleration(point.t);
    double acceleration = 0;
    for (int i = 0; i < static_cast<int>(scalars_.size()); ++i) account_for_scalar(i, time, points);
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
        const ScalarSettings& s = flow_.scalars[i];
        const double difference = std::max(std::abs(scalars_[i].low - s.reference),
                                           std::abs(scalars_[i].high - s.reference));
        acceleration += std::abs(s.expansion) * glm::length(flow_.fluid.gravity) * difference;
    }
    impulse_ += length * (acceleration + data_.pressure_acceleration(time));
    boundary_speed_ = std::max(boundary_speed_, moved);
    measure_amplification(moved, data_.inflow_rate(time), length > 0);
}

// is_later: what drives the flow otherwise has a part in its speed.
void DivergenceGuard::measure_amplification(double moved, double inflow, bool is_later) {
    if (!(moved > rise * measured_speed_ || inflow > rise * measured_inflow_)) return;
    measured_speed_ = std::max(measured_speed_, moved);
    measured_inflow_ = std::max(measured_inflow_, inflow);
    const double others = is_later ? std::hypot(initial_speed_, pressure_speed_, impulse_) : 0,
                 ratio = (solver_.largest_speed() - others) / boundary_speed_;
    amplification_ = std::max(amplification_, std::clamp(ratio, 1.0, most_amplification));
}

void DivergenceGuard::account_for_scalar(int i, double time, const std::vector<TimePoint>& points) {
    const auto [least, greatest] = data_.boundary_scalar(i, time);
    Range& range = scalars_[i];
    for (const TimePoint& point : points) {
        const auto [down, up] = data_.scalar_growth(i, point.t);
        range.low += point.weight * down;
        range.high += point.weight * up;
    }
    range.low = std::min(range.low, least);
    range.high = std::max(range.high, greatest);
}

// Per unit of mass [m^2/s^2].
double DivergenceGuard::accounted_energy() const {
    const auto square = [](double x) { return x * x; };
    return 0.5 * (square(initial_speed_) + square(amplification_ * boundary_speed_) +
                  square(pressure_speed_) + square(impulse_));
}

// ---- Checks

void DivergenceGuard::before_step(double asked, double length, double courant_rate) {
    const double from = solver_.time();
    if (run_.settings.time.step)
        check_length(length, from, std::max(courant_rate, data_.inflow_rate(from + length)));
    else
        check_collapse(asked, data_.boundary_speed(from + length));
    reach_ = std::max(reach_, asked * std::sqrt(2 * accounted_energy()));
}

void DivergenceGuard::after_step(double length, double courant_rate, double kinetic_energy) {
    const bool misjudged = length * courant_rate > hopeless * solver_.courant_limit();
    if (run_.settings.time.step || misjudged)
        check_length(length, solver_.time() - length, courant_rate);
    account_for(solver_.time(), length);
    for (int i = 0; i < static_cast<int>(scalars_.size()); ++i) check_scalar(i);
    check_energy(kinetic_energy);
}

void DivergenceGuard::check_length(double length, double from, double rate) const {
    const double limit = solver_.courant_limit(), when = from + length;
    if (!(length * rate > limit * (1 + 1e-6))) return;
    std::vector<double> rates = cell_courant_rates(solver_, simplices_of(run_).mesh);
    data_.raise_to_inflow(when, rates);
    const double advised =
        rounded_down(share_of_limit * limit / std::max(rate, data_.carried_rate(when)));
    const std::string change = fmt::format(
        "take a time.step of {:.2g} s or less, or time.courant instead, which follows the flow",
        advised);
    const std::string message = fmt::format(
        "the step of {:.4g} s to t = {:.6g} s is too long: the Courant number is {:.3g}{}, and the "
        "limit of the scheme ({}) is {:.3g}; {}",
        length, when, length * rate, place_of_largest(run_.comm, simplices_of(run_).mesh, rates),
        scheme(flow_.flow), limit,
        run_.settings.time.step ? change : "take a smaller time.courant, or a time.step");
    fail(message);
}

void DivergenceGuard::check_collapse(double asked, double coming_speed) const {
    const double way = asked * std::max(coming_speed, std::sqrt(2 * accounted_energy()));
    if (!(way < least_reach * reach_)) return;
    const std::string place = place_of_largest(
        run_.comm, simplices_of(run_).mesh, cell_courant_rates(solver_, simplices_of(run_).mesh));
    fail_unbounded(
        fmt::format("the time step fell to {:.3g} s at t = {:.6g} s, ten thousand times below "
                    "earlier ones, as the flow grows without bound{}",
                    asked, solver_.time(), place));
}

void DivergenceGuard::check_scalar(int i) const {
    const auto [low, high] = scalars_[i];
    const double margin =
        std::max(high - low, least_margin * std::max(std::abs(low), std::abs(high)));
    const auto [least, greatest] = solver_.scalar_range(i);
    if (least >= low - margin && greatest <= high + margin) return;
    const bool is_low = low - least > greatest - high;
    std::vector<double> values = solver_.cell_scalar(i);
    if (is_low)
        for (double& v : values) v = -v;
    fail_unbounded(
        fmt::format("{} is {:.4g} at t = {:.6g} s{}, beyond {:.4g} to {:.4g}, which its initial "
                    "values, boundaries and sources allow",
                    flow_.scalars[i].name, is_low ? least : greatest, solver_.time(),
                    place_of_largest(run_.comm, simplices_of(run_).mesh, values), low, high));
}

void DivergenceGuard::check_energy(double kinetic_energy) const {
    const double accounted = accounted_energy(), speed = solver_.largest_speed();
    const bool in_the_mean = kinetic_energy > most_mean_energy * accounted * data_.volume();
    if (accounted == 0 || (!in_the_mean && 0.5 * speed * speed <= most_energy * accounted)) return;
    const std::string place = place_of_largest(run_.comm, simplices_of(run_).mesh,
                                               cell_speeds(solver_, simplices_of(run_).mesh));
    fail_unbounded(
        fmt::format("the flow grows without bound: {:.4g} m/s at t = {:.6g} s{}, where boundaries, "
                    "pressures, forces and the initial flow account for "
                    "{:.4g} m/s",
                    speed, solver_.time(), place, std::sqrt(2 * accounted)));
}

}  // namespace solenoid
