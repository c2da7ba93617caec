// The kinds of boundary conditions of a flow.
#pragma once

#include "flow/settings/flow_condition.hpp"

namespace solenoid {

const std::vector<FlowConditionKind>& flow_condition_kinds();  // in the order of the docs
std::shared_ptr<const FlowCondition> wall_at_rest();

}  // namespace solenoid
