// The net flux through every boundary, every step: monitors/boundaries.csv of a flow.
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class BoundaryFlows {
  public:
    // Collective, as all below.
    BoundaryFlows(const Run& run, FlowSolver& solver, const RunOutput& output);
    void append();  // the present state

  private:
    FlowSolver& solver_;
    std::vector<std::size_t> boundaries_;  // of the domain, among Mesh::boundaries
    CsvSeries series_;
};

}  // namespace solenoid
