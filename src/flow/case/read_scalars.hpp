// The scalars that a flow carries: the tables of [scalar], the keys that they add to a boundary,
// and what these say.
#pragma once

#include "case/keys.hpp"
#include "flow/settings/flow_case.hpp"

namespace solenoid {

std::vector<ScalarSettings> read_scalars(const TableReader& scalars);
std::vector<Key> scalar_settings_keys();  // of a [scalar.NAME]
std::vector<std::string> scalar_keys(const std::vector<ScalarSettings>& scalars);
std::map<std::string, ScalarCondition> read_scalar_conditions(
    const TableReader& boundary, const std::vector<ScalarSettings>& scalars);

}  // namespace solenoid
