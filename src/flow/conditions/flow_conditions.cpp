// The kinds of boundary conditions of a flow.
#include "flow/conditions/flow_condition.hpp"

namespace solenoid {

FlowConditionKind wall_kind();
FlowConditionKind inflow_kind();
FlowConditionKind outflow_kind();
FlowConditionKind pressure_kind();
FlowConditionKind symmetry_kind();
FlowConditionKind rotating_wall_kind();
FlowConditionKind convective_kind();

const std::vector<FlowConditionKind>& flow_condition_kinds() {
    static const std::vector<FlowConditionKind> kinds{wall_kind(),     inflow_kind(),        outflow_kind(),   pressure_kind(),
                                                      symmetry_kind(), rotating_wall_kind(), convective_kind()};
    return kinds;
}

const VectorFormula& FlowCondition::velocity() const {
    static const VectorFormula rest;
    return rest;
}

const Formula& FlowCondition::pressure() const {
    static const Formula zero;
    return zero;
}

}  // namespace solenoid
