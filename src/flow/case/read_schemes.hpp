// Method and schemes of a flow: the table [flow].
#pragma once

#include "case/keys.hpp"
#include "flow/settings/flow_case.hpp"

namespace solenoid {

const Keys<FlowSettings>& flow_keys();
FlowSettings read_schemes(const TableReader& table);

std::vector<std::string> convections_of_scalars();
std::string described_convections_of_scalars();  // in Markdown

}  // namespace solenoid
