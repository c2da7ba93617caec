// The budget of kinetic energy, every step: the monitors of type "energy".
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class EnergyMonitors {
  public:
    // The solver follows its energy from then on where there is such a monitor. References must outlive this. Collective.
    EnergyMonitors(const Run& run, FlowSolver& solver, const RunOutput& output);
    void append();  // of the last step. Collective.

  private:
    FlowSolver& solver_;
    std::vector<CsvSeries> series_;
};

}  // namespace solenoid
