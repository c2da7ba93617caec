// The budget of kinetic energy in a run: the monitors of type "energy" at each step, and the
// samples of EnergyLosses.
#pragma once

#include <optional>

#include "flow/run/energy_losses.hpp"
#include "flow/run/flow_scales.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class EnergyMonitors {
  public:
    // All references must outlive this. Collective.
    EnergyMonitors(Run& run, FlowSolver& solver, const RunOutput& output);
    // Samples the last step, before a trial step that is undone. Collective.
    void sample();
    void append();  // records the last step. Collective.
    // Sets Summary::energy_loss, unless the fluid is at rest by these scales. Collective.
    void finish(const FlowScales& scales);

  private:
    bool writes() const { return !series_.empty(); }
    EnergyTerms terms();

    Run& run_;
    FlowSolver& solver_;
    std::vector<CsvSeries> series_;
    EnergyLosses losses_;
    std::optional<EnergyTerms> seen_;
    std::int64_t steps_ = 0;
    bool is_last_sampled_ = false, starts_ = false;  // starts_: the last step was a first one
};

}  // namespace solenoid
