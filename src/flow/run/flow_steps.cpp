#include "flow/run/flow_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "run/time_step.hpp"

namespace solenoid {
namespace {

constexpr double least_step = 1e-13;    // of the end of the run
constexpr double largest_growth = 1.2;  // of a step relative to the previous one
// Growth of the first steps, made short by errors of first order, while the Courant number is far
// below its target. Later steps that grew as fast would leave errors by extrapolation that the
// estimates do not show.
constexpr double first_growth = 1.5, far_below = 0.2;
constexpr int first_steps = 12;

// Target relative to the length at which the error equals the tolerance: the error is then a sixth
// of the tolerance, and the errors of a run fall with the order of the method.
constexpr double aim = 0.55;
// Range of the factor by which an undone step is shortened.
constexpr double least_factor = 0.1, most_factor = 0.7;
// Weight of the errors of the first steps, which are of first order, so that they do not exceed
// those of later steps.
constexpr double weight_of_start = 10;
constexpr int most_trials = 12;  // after them a step is accepted, whatever its error
// An error that falls by less than least_gain with a shorter step, most_vain times in a row, does
// not depend on the step's length. The step then gets the length at which this began, and errors
// are ignored for left_alone steps.
constexpr double least_gain = 0.7;
constexpr int most_vain = 3, left_alone = 10;

}  // namespace

FlowSteps::FlowSteps(const Communicator& comm, FlowData& data, const TimeSettings& time,
                     const double& courant, bool controls)
    : comm_(comm),
      data_(data),
      time_(time),
      courant_(courant),
      controls_(controls && !time.step),
      step_(time.step.value_or(0)) {}

double FlowSteps::growth(double courant_rate) const {
    return controls_ && since_start_ < first_steps && courant_rate * step_ < far_below * courant_
               ? first_growth
               : largest_growth;
}

// A step that was cut short by an instant at which steps end does not hold back the next one.
double FlowSteps::grown(double courant_rate) const {
    return std::max(growth(courant_rate) * step_, 2 * least_step * time_.end);
}

double FlowSteps::next(double time, double target, double courant_rate, double limit) {
    const double cut = time_.step ? limit : std::min(limit, target - time);
    if (taken_back_ > 0) {
        step_ = std::min(step_, cut);
    } else if (!time_.step) {
        const double most = courant_rate > 0 ? courant_ / courant_rate : HUGE_VAL;
        starts_ = step_ == 0;
        const double longest = time_.largest_step.value_or(HUGE_VAL);
        since_start_ = starts_ ? 0 : since_start_ + 1;
        const double first = starts_ ? this->first(time, courant_rate) : HUGE_VAL;
        step_ = std::min({cut, longest,
                          starts_ ? std::min(longest_first_, first)
                                  : std::min({grown(courant_rate), most, by_error_})});
        // a near target does not hold it back, else it would seem that the flow does
        by_flow_ =
            std::min({limit, longest, std::max(by_flow_, target - time),
                      starts_ ? std::min(by_flow_ > 0 ? largest_growth * by_flow_ : HUGE_VAL, first)
                              : std::min(largest_growth * by_flow_, most)});
        for (int i = 0; i < 40 && data_.moves() && jumps(time); ++i) step_ /= 2;
        by_flow_ = std::max(by_flow_, step_);
        if (starts_ && controls_) step_ = std::min(step_, 0.5 * (target - time));
    }
    comm_.agree([&] {
        if (step_ > std::min(least_step * time_.end, 0.4 * (target - time))) return;
        constexpr double room = 1e-3;  // for first steps that are taken back
        const double most_end = room * step_ / least_step;
        const bool is_by_courant = courant_rate * step_ > far_below * courant_;
        if (starts_ && step_ > 0 && (is_by_courant || taken_back_ == 0))
            throw ComputationError(fmt::format(
                "at t = {:.6g} s the flow asks for a first step of {:.3g} s by its Courant number, "
                "which is lost beside time.end = {:.3g} s: take a time.end of {:.3g} s or less, or "
                "correct speeds, forces or the size of the mesh",
                time, step_, time_.end, most_end));
        if (step_ > 0 && !is_by_courant)
            throw ComputationError(fmt::format(
                "at t = {:.6g} s the error of the steps asks for one of {:.3g} s, which is lost "
                "beside time.end = {:.3g} s: friction, forces or boundaries that the initial "
                "velocity does not fit change the flow at once; take an initial.velocity that fits "
                "the boundaries, a time.step, or a time.end of {:.3g} s or less",
                time, step_, time_.end, most_end));
        throw ComputationError(fmt::format(
            "the time step fell to {:.3g} s at t = {:.6g} s, the velocity grows without bound: "
            "take a smaller time.courant, or a finer mesh",
            step_, time));
    });
    return fitted_step(time, step_, target);
}

bool FlowSteps::accepts(double length, double error, int order) {
    if (order == 1) error *= weight_of_start;
    const double factor = error > 0    ? aim * std::pow(error, -1.0 / (order + 1))
                          : error == 0 ? HUGE_VAL
                                       : 0;
    if (error <= 1 || taken_back_ == most_trials || left_alone_ > 0) {
        by_error_ = length * (left_alone_ > 0 ? std::max(factor, 1.0) : factor);
        left_alone_ = std::max(left_alone_ - 1, 0);
        stays();
        return true;
    }
    const bool is_vain = taken_back_++ > 0 && error > least_gain * trial_error_;
    if (is_vain && vain_ == 0) plateau_ = trial_;
    vain_ = is_vain ? vain_ + 1 : 0;
    trial_ = length;
    trial_error_ = error;
    step_ = length * std::clamp(factor, least_factor, most_factor);
    if (vain_ < most_vain) return false;
    step_ = plateau_;
    left_alone_ = left_alone;
    return false;
}

void FlowSteps::shortens(double length) {
    ++taken_back_;
    trial_error_ = HUGE_VAL;
    vain_ = 0;
    step_ = length / 2;
}

void FlowSteps::restart(double length) {
    if (time_.step) return;
    step_ = 0;
    by_error_ = HUGE_VAL;
    longest_first_ = length > 0 ? largest_growth * length : HUGE_VAL;
}

void FlowSteps::register_state(const StateValues& state) {
    if (time_.step) return;
    const StateValues all = state.off_stack();
    constexpr StateBounds length{0, HUGE_VAL};
    all.add("step", step_, length);
    all.add("by_flow", by_flow_, length);
    all.add("since_start", since_start_, not_negative);
    all.add("longest_first", longest_first_, length);
    if (!controls_) return;
    all.add("by_error", by_error_, length);
    all.add("left_alone", left_alone_, not_negative);
}

// Whether boundary data more than double during the step, so that it is too long for what comes.
bool FlowSteps::jumps(double time) const {
    const double then = data_.boundary_rate(time + step_);
    return then * step_ > 1.5 * courant_ && then > 2 * data_.boundary_rate(time);
}

// The first step from rest, limited by walls and inflows that move at its end, and by the motion
// that given pressures and forces cause.
double FlowSteps::first(double time, double courant_rate) const {
    const double rate = std::max(courant_rate, data_.boundary_rate(time));
    double step = rate > 0 ? std::min(courant_ / rate, time_.end) : time_.end;
    if (const double pull = data_.acceleration_rate(time); pull > 0)
        step = std::min(step, std::sqrt(courant_ / pull));
    if (const double growth = data_.acceleration_growth(time); growth > 0)
        step = std::min(step, std::cbrt(courant_ / growth));
    if (time == 0 && time_.first_step) step = std::min(step, *time_.first_step);
    const auto is_too_long = [&] {
        const double later = time + step;
        return data_.boundary_rate(later) * step > 1.5 * courant_ ||
               data_.acceleration_rate(later) * step * step > 1.5 * courant_;
    };
    for (int i = 0; i < 40 && is_too_long(); ++i) step /= 2;
    return step;
}

}  // namespace solenoid
