#include "flow/run/flow_scales.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {
namespace {

// Fraction of the speed that forces, pressures and sources can give a fluid at rest; slower motion
// is not worth a shorter step.
constexpr double least_part = 1e-3;
constexpr double noise = 16;       // roundings in a difference of states
constexpr double roundings = 1e3;  // roundings of a scalar's magnitude in a difference of states

// relative to the velocity's scale, or its least value: slower fluid is at rest
constexpr double least_moving = 1e-3;

// Least scale relative to the largest one of the run, so that the remains of a pulse are not
// followed.
constexpr double least_of_largest = 0.05;

}  // namespace

FlowScales::FlowScales(const FlowCase& flow, FlowData& data, const TimeData& time_data,
                       FlowSolver& solver, double end, double rounding)
    : flow_(flow), data_(data), solver_(solver), rounding_(rounding) {
    std::vector<double> instants = time_data.extremes();
    instants.push_back(0);
    for (const double t : instants)
        velocity_ = std::max({velocity_, data.boundary_speed(t), data.imposed_speed(t)});
    for (int i = 0; i < static_cast<int>(flow.scalars.size()); ++i) {
        const auto [low, high] = data.initial_scalar(i);
        const double diffusivity =
            flow.scalars[i].diffusivity.is_constant() ? flow.scalars[i].diffusivity(Vec3(0)) : 0;
        const double longest =
            diffusivity > 0 ? std::min(end, data.size() * data.size() / diffusivity) : end;
        Scalar scalar{low, high, 0};
        for (const double t : instants) {
            const auto [least, greatest] = data.boundary_scalar(i, t);
            const auto [down, up] = data.scalar_growth(i, t);
            scalar.low = std::min(scalar.low, least);
            scalar.high = std::max(scalar.high, greatest);
            scalar.least = std::max(scalar.least, least_part * longest * std::max(up, -down));
        }
        scalars_.push_back(scalar);
    }
    set_least_velocities(end, instants);
    sample();
}

// The speed that an acceleration gives within the run, over the length of the domain, or against
// friction, whichever is least.
double FlowScales::speed_by(double acceleration, double end) const {
    const double size = data_.size(), nu = flow_.fluid.law || !flow_.fluid.viscosity.is_constant()
                                               ? 0
                                               : flow_.fluid.viscosity(Vec3(0));
    return std::min({acceleration * end, std::sqrt(acceleration * size),
                     nu > 0 ? acceleration * size * size / nu : HUGE_VAL});
}

void FlowScales::set_least_velocities(double end, const std::vector<double>& instants) {
    double given = 0, rounded = 0;
    for (const double t : instants)
        given = std::max(given, data_.body_acceleration(t) +
                                    0.5 * std::pow(data_.pressure_speed(t), 2) / data_.size());
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
        const auto [low, high, least] = scalars_[i];
        given += data_.buoyancy(static_cast<int>(i), high - low);
        rounded += data_.buoyancy(static_cast<int>(i),
                                  noise * rounding_ * std::max(std::abs(low), std::abs(high)));
    }
    least_velocity_ = least_part * speed_by(given, end);
    rounded_velocity_ = speed_by(rounded, end);
}

double FlowScales::mean_speed() const {
    return std::sqrt(2 * solver_.kinetic_energy() / data_.volume());
}

bool FlowScales::moves() const {
    return mean_speed() >
           std::max(least_moving * std::max(velocity_, least_velocity_), rounded_velocity_);
}

bool FlowScales::has_moved() const {
    return velocity_ > std::max(least_moving * least_velocity_, rounded_velocity_);
}

void FlowScales::sample() {
    velocity_ = std::max(velocity_, mean_speed());
    std::vector<FlowData::Range> ranges;
    for (int i = 0; i < static_cast<int>(scalars_.size()); ++i) {
        const auto [least, greatest] = solver_.scalar_range(i);
        ranges.push_back({least, greatest});
        scalars_[i].low = std::min(scalars_[i].low, least);
        scalars_[i].high = std::max(scalars_[i].high, greatest);
    }
    buoyancy_rate_ = data_.buoyancy_rate(solver_.time(), ranges);
}

void FlowScales::register_state(const StateValues& state) {
    const StateValues all = state.off_stack();
    all.add("velocity", velocity_);
    all.add("buoyancy_rate", buoyancy_rate_);
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
        const std::string& name = flow_.scalars[i].name;
        const StateValues one = all.owned_by("scalar", name).part(name);
        one.add("low", scalars_[i].low);
        one.add("high", scalars_[i].high);
    }
}

double FlowScales::relative(const StepErrors& errors) const {
    // magnitude: of the values whose differences form the error.
    const auto over = [&](double error, double scale, double magnitude) {
        return error < noise * rounding_ * magnitude ? 0
               : scale > 0                           ? error / scale
               : error > 0                           ? HUGE_VAL
                                                     : error;
    };
    const double now = solver_.time();
    const double speed =
        std::max({mean_speed(), data_.boundary_speed(now), data_.imposed_speed(now),
                  least_velocity_, rounded_velocity_, least_of_largest * velocity_});
    double largest = over(errors.velocity, speed, speed);
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
        const Scalar& s = scalars_[i];
        const auto [least, greatest] = solver_.scalar_range(static_cast<int>(i));
        const auto [least_given, greatest_given] = data_.boundary_scalar(static_cast<int>(i), now);
        const double low = std::min(s.low, least), high = std::max(s.high, greatest),
                     range = std::max(greatest, greatest_given) - std::min(least, least_given);
        // far beyond the range, for example of a temperature in kelvin
        const double magnitude = std::max(std::abs(low), std::abs(high));
        const double error = over(errors.scalars[i],
                                  std::max({range, least_of_largest * (high - low), s.least,
                                            roundings * rounding_ * magnitude}),
                                  magnitude);
        if (!(error <= largest)) largest = error;
    }
    return largest;
}

}  // namespace solenoid
