#include "flow/run/held_scalars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/optional_state.hpp"

namespace solenoid {
namespace {

// Least part of what passes any boundary that counts as fluid that leaves.
constexpr double least_outflow = 0.01;

bool is_held(const ScalarCondition& condition) {
    return condition.is_value && !condition.of_inflow;
}

}  // namespace

HeldScalars::HeldScalars(const FlowCase& flow, const std::vector<std::string>& boundaries)
    : entered_(boundaries.size(), 0.0), passed_(boundaries.size(), 0.0) {
    for (const FlowBoundary& b : flow.boundaries) {
        const auto found = std::ranges::find(boundaries, b.name);
        if (found == boundaries.end() || !b.condition->lets_through()) continue;
        if (std::ranges::any_of(b.scalars, [](const auto& s) { return is_held(s.second); }))
            watched_.push_back({&b, static_cast<std::size_t>(found - boundaries.begin())});
    }
}

void HeldScalars::add(const std::vector<double>& inflow, double length) {
    for (std::size_t b = 0; b < passed_.size(); ++b) {
        entered_[b] += length * inflow[b];
        passed_[b] += length * std::abs(inflow[b]);
    }
}

std::vector<std::string> HeldScalars::warnings() const {
    std::vector<std::string> warnings;
    for (const auto& [boundary, index] : watched_) {
        if (!(-entered_[index] > least_outflow * *std::ranges::max_element(passed_))) continue;
        for (const auto& [scalar, condition] : boundary->scalars)
            if (is_held(condition))
                warnings.push_back(fmt::format(
                    "[boundary.{0}]: in the mean fluid leaves here, and {1} is given all the same, "
                    "so that what leaves changes to it beside the boundary: with "
                    "{1}_inflow_value in the place of {1} only fluid that enters has it",
                    boundary->name, scalar));
    }
    return warnings;
}

// A case may have begun or ceased to give values since the state was saved: then the mean begins
// anew.
void HeldScalars::register_state(const StateValues& state) {
    using Numbers = std::vector<double>;
    constexpr std::int64_t any_count = -1;  // a case with other boundaries begins anew
    const OptionalState all(state.off_stack());
    for (const auto& [name, values] :
         {std::pair("entered", &entered_), std::pair("passed", &passed_)})
        all.add(
            name, [this] { return are_watched(); }, [values = values] { return *values; },
            [values = values](const std::optional<Numbers>& saved) {
                const bool fits = saved && saved->size() == values->size();
                *values = fits ? *saved : Numbers(values->size(), 0.0);
            },
            any_count);
}

}  // namespace solenoid
