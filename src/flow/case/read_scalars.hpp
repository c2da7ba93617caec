// The scalars of a flow: the tables [scalar.NAME] and the keys of boundaries for scalars.
#pragma once

#include "case/keys.hpp"
#include "flow/settings/flow_case.hpp"

namespace solenoid {

std::vector<ScalarSettings> read_scalars(const TableReader& scalars);
std::vector<Key> scalar_settings_keys();  // of a table [scalar.NAME]
std::vector<std::string> scalar_keys(const std::vector<ScalarSettings>& scalars);
// lets_through: whether fluid may cross the boundary.
std::map<std::string, ScalarCondition> read_scalar_conditions(
    const TableReader& boundary, const std::vector<ScalarSettings>& scalars, bool lets_through);

}  // namespace solenoid
