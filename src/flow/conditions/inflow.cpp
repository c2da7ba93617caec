// Inflow: the velocity is given, inward or outward.
#include "flow/settings/flow_condition.hpp"

namespace solenoid {
namespace {

struct InflowSettings {
    VectorFormula velocity;
};

class Inflow : public FlowCondition {
  public:
    explicit Inflow(const InflowSettings& settings) : velocity_(settings.velocity) {}
    Given given() const override { return Given::all; }
    bool lets_through() const override { return true; }
    const VectorFormula& velocity() const override { return velocity_; }

  private:
    const VectorFormula velocity_;
};

}  // namespace

FlowConditionKind inflow_kind() {
    const auto keys =
        Keys<InflowSettings>().key("velocity", &InflowSettings::velocity, value::vector(),
                                   "required", "velocity of the flow [m/s]");
    return {{"inflow", keys.declared(), "the velocity is given, inward or outward",
             "velocity = {} [m/s] is given, inward or outward",
             [keys](const TableReader& table, const FlowConditionContext&) {
                 return std::make_shared<Inflow>(keys.read(table));
             }},
            FlowCondition::Given::all};
}

}  // namespace solenoid
