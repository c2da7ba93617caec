// Law of Carreau and Yasuda (Yasuda, Armstrong & Cohen 1981), from `largest` at rest to `least` in
// fast shear:
//   nu = least + (largest - least) (1 + (t rate)^a)^((n - 1) / a)
#include "flow/viscosity/viscosity_law.hpp"

namespace solenoid {
namespace {

struct CarreauYasudaSettings {
    double time = 0, index = 1, transition = 2;
};

class CarreauYasuda : public ViscosityLawOf<CarreauYasuda> {
  public:
    CarreauYasuda(const CarreauYasudaSettings& settings, const Limits& limits)
        : ViscosityLawOf(limits), settings_(settings) {}
    template <class Real>
    auto at(const Buffer<Real>& rate) const {
        const auto [time, index, transition] = settings_;
        return limits().least + (limits().largest - limits().least) *
                                    pow(1 + pow(time * rate, transition), (index - 1) / transition);
    }
    double steepness() const override { return 1; }

  private:
    const CarreauYasudaSettings settings_;
};

}  // namespace

ViscosityLawKind carreau_yasuda_kind() {
    using Settings = CarreauYasudaSettings;
    const auto keys = Keys<Settings>()
                          .key("time", &Settings::time, value::positive(), "required",
                               "λ [s]: the fluid thins at shear rates beyond 1/λ")
                          .key("exponent", &Settings::index, value::from_to(0, 1), "required",
                               "n, from 0 to 1: in fast shear the stress grows as γ̇ⁿ")
                          .key("transition", &Settings::transition, value::from_to(0.1, 10), "`2`",
                               "a, from 0.1 to 10: how sharp the transition is; 2 is Carreau's");
    return {"carreau_yasuda", keys.declared(),
            "ν = least + (largest - least) (1 + (λγ̇)ᵃ)^((n-1)/a)", "time = 0.1, exponent = 0.5",
            [keys](const TableReader& table, const ViscosityLaw::Limits& limits) {
                return std::make_shared<CarreauYasuda>(keys.read(table), limits);
            }};
}

}  // namespace solenoid
