// Outflow: no normal viscous stress, pressure 0.
#include "flow/settings/flow_condition.hpp"

namespace solenoid {
namespace {

class Outflow : public FlowCondition {
  public:
    Given given() const override { return Given::nothing; }
    bool lets_through() const override { return true; }
};

}  // namespace

FlowConditionKind outflow_kind() {
    return {{"outflow",
             {},
             "the flow leaves freely, with pressure 0 and no viscous normal stress; fluid that "
             "enters comes from rest",
             "the flow leaves freely; without an outflow, what enters must leave through inflows",
             [](const TableReader&, const FlowConditionContext&) {
                 return std::make_shared<Outflow>();
             }},
            FlowCondition::Given::nothing};
}

}  // namespace solenoid
