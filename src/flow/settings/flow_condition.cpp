#include "flow/settings/flow_condition.hpp"

namespace solenoid {

const VectorFormula& FlowCondition::velocity() const {
    static const VectorFormula rest;
    return rest;
}

const Formula& FlowCondition::pressure() const {
    static const Formula zero;
    return zero;
}

}  // namespace solenoid
