// A wall: the fluid has its velocity (no slip), and nothing passes.
#include "flow/conditions/flow_conditions.hpp"
#include "flow/settings/flow_condition.hpp"

namespace solenoid {
namespace {

struct WallSettings {
    VectorFormula velocity;
};

class Wall : public FlowCondition {
  public:
    explicit Wall(const WallSettings& settings) : velocity_(settings.velocity) {}
    Given given() const override { return Given::all; }
    bool lets_through() const override { return false; }
    const VectorFormula& velocity() const override { return velocity_; }

  private:
    const VectorFormula velocity_;
};

}  // namespace

std::shared_ptr<const FlowCondition> wall_at_rest() {
    return std::make_shared<Wall>(WallSettings{});
}

FlowConditionKind wall_kind() {
    const auto keys =
        Keys<WallSettings>().key("velocity", &WallSettings::velocity, value::vector(), "at rest",
                                 "velocity of the wall [m/s], along itself");
    return {{"wall", keys.declared(), "no flux and no slip; a wall moves along itself only",
             "no slip; with velocity = {} [m/s] the wall slides along itself",
             [keys](const TableReader& table, const FlowConditionContext&) {
                 return std::make_shared<Wall>(keys.read(table));
             }},
            FlowCondition::Given::all};
}

}  // namespace solenoid
