#include "flow/run/held_scalars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace solenoid {
namespace {

// Least part of what passes any boundary that counts as fluid that leaves.
constexpr double least_outflow = 0.01;

bool is_held(const ScalarCondition& condition) {
    return condition.is_value && !condition.of_inflow;
}

}  // namespace

HeldScalars::HeldScalars(const FlowCase& flow, const std::vector<std::string>& boundaries)
    : passed_(boundaries.size(), 0.0) {
    for (const FlowBoundary& b : flow.boundaries) {
        const auto found = std::ranges::find(boundaries, b.name);
        if (found == boundaries.end() || !b.condition->lets_through()) continue;
        if (std::ranges::any_of(b.scalars, [](const auto& s) { return is_held(s.second); }))
            watched_.push_back({&b, static_cast<std::size_t>(found - boundaries.begin())});
    }
    entered_.assign(watched_.size(), 0.0);
}

void HeldScalars::add(const std::vector<double>& inflow, double length) {
    for (std::size_t b = 0; b < passed_.size(); ++b) passed_[b] += length * std::abs(inflow[b]);
    for (std::size_t i = 0; i < watched_.size(); ++i)
        entered_[i] += length * inflow[watched_[i].index];
}

std::vector<std::string> HeldScalars::warnings() const {
    std::vector<std::string> warnings;
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        if (!(-entered_[i] > least_outflow * *std::ranges::max_element(passed_))) continue;
        for (const auto& [scalar, condition] : watched_[i].boundary->scalars)
            if (is_held(condition))
                warnings.push_back(fmt::format(
                    "[boundary.{0}]: in the mean fluid leaves here, and {1} is given all the same, "
                    "so that what leaves changes to it beside the boundary: with "
                    "{1}_inflow_value in the place of {1} only fluid that enters has it",
                    watched_[i].boundary->name, scalar));
    }
    return warnings;
}

void HeldScalars::register_state(const StateValues& state) {
    if (!are_watched()) return;
    state.off_stack().add("entered", entered_);
    state.off_stack().add("passed", passed_);
}

}  // namespace solenoid
