#include "flow/conditions/flow_conditions.hpp"

namespace solenoid {

// Each is defined in its own file.
FlowConditionKind wall_kind();
FlowConditionKind inflow_kind();
FlowConditionKind outflow_kind();
FlowConditionKind pressure_kind();
FlowConditionKind total_pressure_kind();
FlowConditionKind symmetry_kind();
FlowConditionKind rotating_wall_kind();
FlowConditionKind convective_kind();

const std::vector<FlowConditionKind>& flow_condition_kinds() {
    static const std::vector<FlowConditionKind> kinds{
        wall_kind(),           inflow_kind(),   outflow_kind(),       pressure_kind(),
        total_pressure_kind(), symmetry_kind(), rotating_wall_kind(), convective_kind()};
    return kinds;
}

}  // namespace solenoid
