// A symmetry plane, or a wall without friction.
#include "flow/settings/flow_condition.hpp"

namespace solenoid {
namespace {

class Symmetry : public FlowCondition {
  public:
    Given given() const override { return Given::normal; }
    bool lets_through() const override { return false; }
};

}  // namespace

FlowConditionKind symmetry_kind() {
    return {
        {"symmetry",
         {},
         "no flux and no shear stress: a symmetry plane, or a wall, plane or curved, along which "
         "the fluid slips",
         "the fluid slides along it without friction",
         [](const TableReader&, const FlowConditionContext&) {
             return std::make_shared<Symmetry>();
         }},
        FlowCondition::Given::normal};
}

}  // namespace solenoid
