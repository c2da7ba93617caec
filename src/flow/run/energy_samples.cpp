#include "flow/run/energy_samples.hpp"

#include "core/optional_state.hpp"
#include "flow/run/flow_quantities.hpp"

namespace solenoid {
namespace {

// A sample takes about as long as a step, mostly for the pressure at boundaries.
constexpr std::int64_t steps_a_sample = 100;
constexpr auto number = QuantityInfo::Of::number;

}  // namespace

void EnergySamples::leave_out() {
    is_left_out_ = true;
    if (quantities_.is_asked("energy_budget", number)) quantities_.values("energy_budget", number);
}

void EnergySamples::add() {
    const GradientIntegrals g =
        gradient_integrals_of(quantities_.values("gradient_integrals", number));
    // |grad u|^2 = (2 S : S + |curl u|^2) / 2;   a viscosity that varies takes the stress itself
    losses_.add(solver_.time(), energy_terms_of(quantities_.values("energy_budget", number)),
                g.dissipation,
                viscosity_ ? g.dissipation / 2 + *viscosity_ * g.enstrophy : g.dissipation);
}

void EnergySamples::end_step() {
    ++steps_;
    is_last_sampled_ =
        !is_left_out_ && solver_.has_energy_budget() &&
        (quantities_.is_asked("energy_budget", number) || steps_ % steps_a_sample == 0);
    if (is_last_sampled_) add();
    is_left_out_ = false;
}

void EnergySamples::register_state(const StateValues& state) {
    using Numbers = std::vector<double>;
    const StateValues all = state.off_stack();
    all.add("steps", steps_, not_negative);
    all.add("is_last_sampled", is_last_sampled_);
    OptionalState(all).add<Numbers>(
        "samples_of_losses", [this] { return !losses_.packed().empty(); },
        [this] { return losses_.packed(); },
        [this](const std::optional<Numbers>& numbers) {
            losses_.unpack(numbers.value_or(Numbers()));
        },
        EnergyLosses::check);
}

double EnergySamples::error_of_flow() const { return losses_.error_of_flow_until(solver_.time()); }

std::optional<EnergyLoss> EnergySamples::means(const FlowScales& scales) {
    if (!solver_.has_energy_budget() || steps_ < 2 || !scales.moves()) return {};
    if (!is_last_sampled_) add();
    return losses_.until(solver_.time());
}

}  // namespace solenoid
