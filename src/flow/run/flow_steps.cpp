#include "flow/run/flow_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "run/time_step.hpp"

namespace solenoid {
namespace {

constexpr double largest_growth = 1.2;  // of a step over the one before

}  // namespace

FlowSteps::FlowSteps(const Communicator& comm, FlowData& data, const TimeSettings& time, double courant)
    : comm_(comm), data_(data), time_(time), courant_(courant), step_(time.step.value_or(0)) {}

double FlowSteps::next(double time, double target, double courant_rate, double limit) {
    if (!time_.step) {
        const double most = courant_rate > 0 ? courant_ / courant_rate : HUGE_VAL;
        step_ = std::min(limit, step_ > 0 ? std::min(largest_growth * step_, most) : std::min(longest_first_, first(time, courant_rate)));
        for (int i = 0; i < 40 && data_.moves() && jumps(time); ++i) step_ /= 2;
    }
    comm_.agree([&] {
        if (!(step_ > 1e-13 * time_.end))
            throw ComputationError(fmt::format(
                "the time step fell to {:.3g} s at t = {:.6g} s, the velocity grows without bound: "
                "take a smaller time.courant, or a finer mesh",
                step_, time));
    });
    return fitted_step(time, step_, target);
}

void FlowSteps::restart(double length) {
    if (time_.step) return;
    step_ = 0;
    longest_first_ = length > 0 ? largest_growth * length : HUGE_VAL;
}

// What is given on the boundaries more than doubles in the step, which is too long for what comes.
bool FlowSteps::jumps(double time) const {
    const double then = data_.boundary_rate(time + step_);
    return then * step_ > 1.5 * courant_ && then > 2 * data_.boundary_rate(time);
}

// From rest, the walls and inflows that move at its end count, and what given pressures and forces set in motion.
double FlowSteps::first(double time, double courant_rate) const {
    const double rate = std::max(courant_rate, data_.boundary_rate(time));
    double step = rate > 0 ? std::min(courant_ / rate, time_.end) : time_.end;
    if (const double pull = data_.acceleration_rate(time); pull > 0) step = std::min(step, std::sqrt(courant_ / pull));
    if (const double growth = data_.acceleration_growth(time); growth > 0) step = std::min(step, std::cbrt(courant_ / growth));
    const auto is_too_long = [&] {
        const double later = time + step;
        return data_.boundary_rate(later) * step > 1.5 * courant_ || data_.acceleration_rate(later) * step * step > 1.5 * courant_;
    };
    for (int i = 0; i < 40 && is_too_long(); ++i) step /= 2;
    return step;
}

}  // namespace solenoid
