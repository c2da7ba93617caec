// A contact resistance R between the two sides of a group inside the domain: the flux (T_1 - T_2) /
// R passes from one side to the other.
#include "heat/conditions/heat_condition.hpp"

namespace solenoid {
namespace {

struct ContactSettings {
    Formula resistance{1.0};
};

class Contact : public HeatCondition {
  public:
    explicit Contact(const ContactSettings& settings) : resistance_(settings.resistance) {}
    const Formula* resistance() const override { return &resistance_; }

  private:
    const Formula resistance_;
};

ValueReader<Formula> resistance() {
    return {"formula", [](const TableReader& table, const std::string& key) {
                const Formula f = table.formula(key);
                if (f.depends_on_time()) table.fail(key, "may depend on x, y and z, not on t");
                if (f.is_constant() && !(f(Vec3(0)) > 0))
                    table.fail(key, fmt::format("must be positive, found {}: where nothing "
                                                "resists, the group needs no table",
                                                f.text()));
                return f;
            }};
}

}  // namespace

HeatConditionKind contact_kind() {
    const auto keys =
        Keys<ContactSettings>().key("resistance", &ContactSettings::resistance, resistance(),
                                    "required", "R [m² K/W], of x, y, z; positive");
    return {"contact", keys.declared(),
            "a group inside the domain: heat (T₁ − T₂) / R [W/m²] passes from one of its sides to "
            "the other",
            "resistance = ...    inside the domain: [m^2 K/W] between its two sides",
            [keys](const TableReader& table, const NoContext&) {
                return std::make_shared<Contact>(keys.read(table));
            }};
}

}  // namespace solenoid
