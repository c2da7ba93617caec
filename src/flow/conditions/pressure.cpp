// A given pressure that drives the flow. Static: fluid enters as from a channel outside. Total:
// fluid enters as from a room, without losses. Where fluid leaves, both are its static pressure.
#include "flow/settings/flow_condition.hpp"

namespace solenoid {
namespace {

struct PressureSettings {
    Formula pressure{0.0};
};

class GivenPressure : public FlowCondition {
  public:
    GivenPressure(const PressureSettings& settings, bool is_total)
        : pressure_(settings.pressure), is_total_(is_total) {}
    Given given() const override { return Given::nothing; }
    bool lets_through() const override { return true; }
    const Formula& pressure() const override { return pressure_; }
    bool drives() const override { return true; }
    bool is_total() const override { return is_total_; }

  private:
    const Formula pressure_;
    const bool is_total_;
};

struct Words {
    std::string name, key, help, starter;
};

FlowConditionKind given_pressure_kind(const Words& words, bool is_total) {
    const auto keys = Keys<PressureSettings>().key("pressure", &PressureSettings::pressure,
                                                   value::formula(), "required", words.key);
    return {{words.name, keys.declared(), "classical method only: " + words.help,
             words.starter + "; flow.method = \"classical\" only",
             [keys, name = words.name, is_total](const TableReader& table,
                                                 const FlowConditionContext& context) {
                 if (!context.solves_for_pressure)
                     table.fail(
                         "type",
                         "\"" + name +
                             "\" belongs to the classical method; the exact method does not solve "
                             "for a pressure: take flow.method = \"classical\", or \"inflow\" with "
                             "a velocity and \"outflow\", where the pressure is 0");
                 return std::make_shared<GivenPressure>(keys.read(table), is_total);
             }},
            FlowCondition::Given::nothing};
}

}  // namespace

FlowConditionKind pressure_kind() {
    return given_pressure_kind(
        {"pressure", "static pressure at the boundary [Pa]",
         "p, the static pressure, is given, and no velocity along the boundary, as where a duct "
         "continues outside. The pressure drives the flow, without viscous normal stress. Fluid "
         "enters along the normal, with the velocity profile of a duct that carries the same flux; "
         "where eddies draw in fluid that leaves again, at half its speed. Where fluid enters from "
         "a room outside, take `\"total_pressure\"`",
         "pressure = 0.0 [Pa], the static pressure, is given, as where a duct continues outside"},
        false);
}

FlowConditionKind total_pressure_kind() {
    return given_pressure_kind(
        {"total_pressure", "p + density u²/2 of the fluid that enters [Pa]",
         "the total pressure p + density u^2/2 of the fluid that enters is given, and no velocity "
         "along the boundary, as where fluid comes without losses from a room outside: the faster "
         "it enters, the lower is p. Where fluid leaves, p is the given pressure",
         "pressure = 0.0 [Pa], p + density u^2/2 of the fluid that enters, as from a room outside"},
        true);
}

}  // namespace solenoid
