// What diffuses through the boundaries, of every scalar and every step: monitors/SCALAR.csv and the
// Nusselt numbers asked for.
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class ScalarFlows {
  public:
    ScalarFlows(const Run& run, FlowSolver& solver, const RunOutput& output);
    void append();  // the present state. Collective.

  private:
    struct Nusselt {
        int scalar;
        std::size_t boundary;
        double scale;  // Nu = scale x flow: length / (diffusivity difference area)
        CsvSeries series;
    };

    FlowSolver& solver_;
    std::vector<CsvSeries> series_;  // of each scalar
    std::vector<Nusselt> nusselt_;
};

}  // namespace solenoid
