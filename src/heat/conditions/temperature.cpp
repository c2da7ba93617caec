// A fixed temperature, T = g.
#include "heat/conditions/heat_condition.hpp"

namespace solenoid {
namespace {

struct TemperatureSettings {
    Formula value{0.0};
};

class Temperature : public HeatCondition {
  public:
    explicit Temperature(const TemperatureSettings& settings) : value_(settings.value) {}
    const Formula* temperature() const override { return &value_; }

  private:
    const Formula value_;
};

}  // namespace

HeatConditionKind temperature_kind() {
    const auto keys = Keys<TemperatureSettings>().key(
        "value", &TemperatureSettings::value, value::formula(), "required", "temperature [K]");
    return {"temperature", keys.declared(), "fixed temperature [K]",
            "value = ...         fixed temperature [K]",
            [keys](const TableReader& table, const NoContext&) {
                return std::make_shared<Temperature>(keys.read(table));
            }};
}

}  // namespace solenoid
