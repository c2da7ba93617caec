// The total pressure of what enters is given, as that of a room from which it comes without losses; what leaves has it for its pressure.
#include "flow/settings/flow_condition.hpp"

namespace solenoid {
namespace {

struct TotalPressureSettings {
    Formula pressure{0.0};
};

class TotalPressure : public FlowCondition {
  public:
    explicit TotalPressure(const TotalPressureSettings& settings) : pressure_(settings.pressure) {}
    Given given() const override { return Given::nothing; }
    bool lets_through() const override { return true; }
    const Formula& pressure() const override { return pressure_; }
    bool drives() const override { return true; }
    bool is_total() const override { return true; }

  private:
    const Formula pressure_;
};

}  // namespace

FlowConditionKind total_pressure_kind() {
    const auto keys = Keys<TotalPressureSettings>().key("pressure", &TotalPressureSettings::pressure, value::formula(), "required", "p + density u²/2 of what enters [Pa]");
    return {"total_pressure", keys.declared(),
            "classical method only: p + density u^2/2 of what enters is given, and no velocity along the boundary: a room outside, from which it comes without losses, so that what "
            "enters faster has a lower p. What leaves has the pressure given for its p",
            "pressure = 0.0 [Pa], p + density u^2/2 of what enters, as from a room outside; flow.method = \"classical\" only",
            [keys](const TableReader& table, const FlowConditionContext& context) {
                if (!context.solves_for_pressure)
                    table.fail("type", "\"total_pressure\" belongs to the classical method, the exact one solves for no pressure: take flow.method = \"classical\", or "
                                       "\"inflow\" with a velocity and \"outflow\", where the pressure is 0");
                return std::make_shared<TotalPressure>(keys.read(table));
            }};
}

}  // namespace solenoid
