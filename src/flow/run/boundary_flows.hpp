// Table monitors/boundaries.csv of a flow: the net flux through each boundary at each step.
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class BoundaryFlows {
  public:
    // Collective, as all below.
    BoundaryFlows(const Run& run, FlowSolver& solver, const RunOutput& output);
    void append();  // records the present state

  private:
    FlowSolver& solver_;
    // boundaries of the domain, as indices into Mesh::boundaries
    std::vector<std::size_t> boundaries_;
    CsvSeries series_;
};

}  // namespace solenoid
