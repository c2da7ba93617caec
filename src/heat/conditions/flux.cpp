// A given heat flux, k dT/dn = q.
#include "heat/conditions/heat_condition.hpp"

namespace solenoid {
namespace {

struct FluxSettings {
    Formula value{0.0};
};

class Flux : public HeatCondition {
  public:
    explicit Flux(const FluxSettings& settings) : value_(settings.value) {}
    const Formula* flux() const override { return &value_; }

  private:
    const Formula value_;
};

}  // namespace

HeatConditionKind flux_kind() {
    const auto keys = Keys<FluxSettings>().key("value", &FluxSettings::value, value::formula(),
                                               "required", "heat flux [W/m²]");
    return {"flux", keys.declared(), "heat into the body [W/m²]; negative: out of it",
            "value = ...         heat into the body [W/m^2]",
            [keys](const TableReader& table, const NoContext&) {
                return std::make_shared<Flux>(keys.read(table));
            }};
}

}  // namespace solenoid
