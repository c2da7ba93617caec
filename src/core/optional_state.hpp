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
    const std::string& prefix() const { return prefix_; }

    using StateValues::add;
    // Values: std::string, std::vector<double> or std::vector<std::int64_t>. is_there: alike on
    // all ranks. get: the root's values are saved. set: is called by each load, with nothing where
    // the saved state lacks the entry. All are collective.
    template <class Values>
    void add(const std::string& name, std::function<bool()> is_there, std::function<Values()> get,
             std::function<void(std::optional<Values>)> set) const;
};

extern template void OptionalState::add(const std::string&, std::function<bool()>,
                                        std::function<std::string()>,
                                        std::function<void(std::optional<std::string>)>) const;
extern template void OptionalState::add(
    const std::string&, std::function<bool()>, std::function<std::vector<double>()>,
    std::function<void(std::optional<std::vector<double>>)>) const;
extern template void OptionalState::add(
    const std::string&, std::function<bool()>, std::function<std::vector<std::int64_t>()>,
    std::function<void(std::optional<std::vector<std::int64_t>>)>) const;

}  // namespace solenoid
