// A side that lets waves out, and an incident wave in: dy/dt + c dy/dn = dg/dt + c dg/dn (Engquist
// & Majda 1977, "Absorbing boundary conditions for the numerical simulation of waves", eq. 1.9).
#include "wave/conditions/wave_condition.hpp"

namespace solenoid {
namespace {

struct AbsorbingSettings {
    Formula incident{0.0};
};

class Absorbing : public WaveCondition {
  public:
    explicit Absorbing(const AbsorbingSettings& settings) : incident_(settings.incident) {}
    const Formula* incident() const override { return &incident_; }

  private:
    const Formula incident_;
};

}  // namespace

WaveConditionKind absorbing_kind() {
    const auto keys =
        Keys<AbsorbingSettings>().key("incident", &AbsorbingSettings::incident, value::formula(),
                                      "`0`", "wave that comes in [m], of x, y, z, t");
    return {"absorbing", keys.declared(), "waves leave, and an incident wave may come in",
            "incident = ...   the wave that comes in [m]; none if absent",
            [keys](const TableReader& table, const NoWaveContext&) {
                return std::make_shared<Absorbing>(keys.read(table));
            }};
}

}  // namespace solenoid
