// The budget of kinetic energy in a run: the monitors of type "energy", every step, and the samples
// of EnergyLosses.
#pragma once

#include <optional>

#include "flow/run/energy_losses.hpp"
#include "flow/run/flow_scales.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class EnergyMonitors {
  public:
    // References must outlive this. Collective.
    EnergyMonitors(Run& run, FlowSolver& solver, const RunOutput& output);
    // the last step, before another one is tried of which nothing stays. Collective.
    void sample();
    void append();  // the last step stays. Collective.
    // Puts what friction and scheme took into the summary; nothing where the fluid rests by those
    // scales. Collective.
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
    bool is_last_sampled_ = false, starts_ = false;  // starts: seen by see()
};

}  // namespace solenoid
