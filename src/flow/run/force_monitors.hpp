// Forces of the fluid on boundaries, every step: the monitors of type "force".
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class ForceMonitors {
  public:
    ForceMonitors(const Run& run, FlowSolver& solver, const RunOutput& output);
    void append();  // the present state. Collective.
    // Of the last one: the forces by the surface and by the weak form, for the summary.
    std::vector<ForceComparison> compared() const;

  private:
    struct Monitor {
        std::string name;
        ForceMonitor settings;
        std::vector<std::size_t> boundaries;  // among Mesh::boundaries
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

// Where both differ by more than a tenth; empty: they do not.
std::string forces_warning(const ForceComparison& forces, int dimension);

}  // namespace solenoid
