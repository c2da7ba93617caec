// Forces of the fluid on boundaries, every step: the monitors of type "force".
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class ForceMonitors {
  public:
    ForceMonitors(const Run& run, FlowSolver& solver, const RunOutput& output);
    void append();  // the present state. Collective.

  private:
    struct Monitor {
        ForceMonitor settings;
        std::vector<std::size_t> boundaries;  // among Mesh::boundaries
        CsvSeries series;
    };
    CsvRow row(const ForceMonitor& settings, const BoundaryForce& sum) const;

    FlowSolver& solver_;
    int dimension_;
    double density_;
    std::vector<Monitor> monitors_;
};

}  // namespace solenoid
