// A given displacement, y = g.
#include "wave/conditions/wave_condition.hpp"

namespace solenoid {
namespace {

struct FixedSettings {
    Formula value{0.0};
};

class Fixed : public WaveCondition {
  public:
    explicit Fixed(const FixedSettings& settings) : value_(settings.value) {}
    const Formula* displacement() const override { return &value_; }

  private:
    const Formula value_;
};

}  // namespace

WaveConditionKind fixed_kind() {
    const auto keys = Keys<FixedSettings>().key("value", &FixedSettings::value, value::formula(),
                                                "`0`", "displacement [m], of x, y, z, t");
    return {"fixed", keys.declared(), "the displacement is given: clamped, or moved",
            "value = ...   the displacement [m]; at rest if absent",
            [keys](const TableReader& table, const NoWaveContext&) {
                return std::make_shared<Fixed>(keys.read(table));
            }};
}

}  // namespace solenoid
