// Registers in a registry what a saved state may lack, and texts: what a run has written. Steps
// that are taken back leave it as it is.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/state_values.hpp"

namespace solenoid {

class OptionalState : public StateValues {
  public:
    // Names begin as those of `state` do.
    explicit OptionalState(const StateValues& state) : StateValues(state) { is_stacked_ = false; }

    OptionalState part(const std::string& name) const { return of_part(*this, name); }
    OptionalState owned_by(const std::string& kind, const std::string& name) const {
        return of_owner(*this, kind, name);
    }
    const std::string& prefix() const { return prefix_; }
    const std::string& belongs_to() const { return belongs_to_; }

    using StateValues::add;
    // Values: std::string, std::vector<double> or std::vector<std::int64_t>. is_there: alike on
    // all ranks. get: the root's values are saved. set: is called by each load, with nothing where
    // the saved state lacks the entry. All are collective. check: of saved values, as
    // StateRegistry::Entry::check.
    template <class Values>
    void add(const std::string& name, std::function<bool()> is_there, std::function<Values()> get,
             std::function<void(std::optional<Values>)> set,
             std::function<void(const Values&)> check) const;
    // Numbers within bounds, so many; negative: any.
    void add(const std::string& name, std::function<bool()> is_there,
             std::function<std::vector<double>()> get,
             std::function<void(std::optional<std::vector<double>>)> set, std::int64_t count,
             const StateBounds& bounds = {}) const {
        add<std::vector<double>>(
            name, std::move(is_there), std::move(get), std::move(set),
            [=](const std::vector<double>& numbers) { check_numbers(numbers, bounds, count); });
    }
};

#define SOLENOID_OPTIONAL_STATE(linkage, ...)                                                 \
    linkage template void OptionalState::add(const std::string&, std::function<bool()>,       \
                                             std::function<__VA_ARGS__()>,                    \
                                             std::function<void(std::optional<__VA_ARGS__>)>, \
                                             std::function<void(const __VA_ARGS__&)>) const;
SOLENOID_OPTIONAL_STATE(extern, std::string)
SOLENOID_OPTIONAL_STATE(extern, std::vector<double>)
SOLENOID_OPTIONAL_STATE(extern, std::vector<std::int64_t>)

}  // namespace solenoid
