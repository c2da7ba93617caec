// The pressure is given and drives the flow, as from a channel that goes on outside.
#include "flow/settings/flow_condition.hpp"

namespace solenoid {
namespace {

struct PressureSettings {
    Formula pressure{0.0};
};

class GivenPressure : public FlowCondition {
  public:
    explicit GivenPressure(const PressureSettings& settings) : pressure_(settings.pressure) {}
    Given given() const override { return Given::nothing; }
    bool lets_through() const override { return true; }
    const Formula& pressure() const override { return pressure_; }
    bool drives() const override { return true; }

  private:
    const Formula pressure_;
};

}  // namespace

FlowConditionKind pressure_kind() {
    const auto keys = Keys<PressureSettings>().key("pressure", &PressureSettings::pressure, value::formula(), "required", "at the boundary [Pa]");
    return {"pressure", keys.declared(),
            "classical method only: p is given, the static pressure, and no velocity along the boundary: a duct that goes on outside. The flow passes as the pressure drives it, "
            "without friction across; what enters comes along the normal, with the profile of a duct that carries the same flux; where eddies draw in fluid that leaves again, at half its speed. "
            "Where fluid enters from a room outside, `\"total_pressure\"`",
            "pressure = 0.0 [Pa], the static one, is given as in a duct that goes on outside; flow.method = \"classical\" only",
            [keys](const TableReader& table, const FlowConditionContext& context) {
                if (!context.solves_for_pressure)
                    table.fail("type", "\"pressure\" belongs to the classical method, the exact one solves for no pressure: take flow.method = \"classical\", or "
                                       "\"inflow\" with a velocity and \"outflow\", where the pressure is 0");
                return std::make_shared<GivenPressure>(keys.read(table));
            }};
}

}  // namespace solenoid
