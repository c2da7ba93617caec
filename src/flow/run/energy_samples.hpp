// The samples of the budget of kinetic energy that a run's EnergyLosses are means of.
#pragma once

#include "core/state_values.hpp"
#include "flow/run/energy_losses.hpp"
#include "flow/run/flow_scales.hpp"
#include "run/quantities.hpp"

namespace solenoid {

class EnergySamples {
  public:
    // All references must outlive this.
    EnergySamples(FlowSolver& solver, Quantities& quantities, const FluidSettings& fluid)
        : solver_(solver), quantities_(quantities), losses_(fluid.density) {
        if (!fluid.law && fluid.viscosity.is_constant()) viscosity_ = fluid.viscosity(Vec3(0));
    }

    // The last step was a first one, by Euler's scheme, or of a pulse too short for means over time
    // to be made of its steps: no sample. Computes its budget where someone asks for it, before a
    // trial step that is undone. Collective, as all below.
    void leave_out();
    void end_step();
    // The means of the run, unless the fluid is at rest by these scales.
    std::optional<EnergyLoss> means(const FlowScales& scales);
    double error_of_flow() const;  // EnergyLosses::error_of_flow_until(), after means()
    void register_state(const StateValues& state);

  private:
    void add();

    FlowSolver& solver_;
    Quantities& quantities_;
    EnergyLosses losses_;
    std::optional<double> viscosity_;  // where it is uniform [m^2/s]
    std::int64_t steps_ = 0;
    bool is_last_sampled_ = false, is_left_out_ = false;  // of the last step
};

}  // namespace solenoid
