// Tables of each scalar at each step: its diffusive flow through boundaries (monitors/SCALAR.csv),
// and the monitors of type "nusselt".
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class ScalarFlows {
  public:
    ScalarFlows(const Run& run, FlowSolver& solver, const RunOutput& output);
    void append();  // records the present state. Collective.

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
