// The monitors of type "force": forces of the fluid on boundaries at each step.
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class ForceMonitors {
  public:
    ForceMonitors(const Run& run, FlowSolver& solver, const RunOutput& output);
    void append();  // records the present state. Collective.
    // The last forces by the surface and by the weak form, for the summary.
    std::vector<ForceComparison> compared() const;

  private:
    struct Monitor {
        std::string name;
        ForceMonitor settings;
        std::vector<std::size_t> boundaries;  // indices into Mesh::boundaries
        CsvSeries series;
        BoundaryForce last;
    };
    CsvRow row(const ForceMonitor& settings, const BoundaryForce& sum) const;

    FlowSolver& solver_;
    int dimension_;
    double density_;
    bool has_seen_ = false;
    std::vector<Monitor> monitors_;
};

// The warning where both differ by more than a tenth; else empty.
std::string forces_warning(const ForceComparison& forces, int dimension);

}  // namespace solenoid
