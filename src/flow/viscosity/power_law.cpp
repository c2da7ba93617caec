// The power law (Ostwald and de Waele): nu = k rate^(n - 1).
#include "flow/viscosity/viscosity_law.hpp"

namespace solenoid {
namespace {

struct PowerLawSettings {
    double consistency = 0, index = 1;
};

class PowerLaw : public ViscosityLawOf<PowerLaw> {
  public:
    PowerLaw(const PowerLawSettings& settings, const Limits& limits)
        : ViscosityLawOf(limits), settings_(settings) {}
    template <class Real>
    auto at(const Buffer<Real>& rate) const {
        return settings_.consistency * pow(rate, settings_.index - 1);
    }
    double steepness() const override { return std::max(1.0, settings_.index); }

  private:
    const PowerLawSettings settings_;
};

}  // namespace

ViscosityLawKind power_law_kind() {
    using Settings = PowerLawSettings;
    const auto keys = Keys<Settings>()
                          .key("consistency", &Settings::consistency, value::positive(), "required",
                               "k/ρ, power law: ν = (k/ρ) γ̇ⁿ⁻¹ [m²/s²⁻ⁿ]")
                          .key("index", &Settings::index, value::from_to(0.1, 3), "required",
                               "n, from 0.1 to 3: shear-thinning below 1, shear-thickening above");
    return {"power_law", keys.declared(), "ν = (k/ρ) γ̇ⁿ⁻¹", "consistency = 0.01, index = 0.5",
            [keys](const TableReader& table, const ViscosityLaw::Limits& limits) {
                return std::make_shared<PowerLaw>(keys.read(table), limits);
            }};
}

}  // namespace solenoid
