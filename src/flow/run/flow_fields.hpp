// The fields of a flow as its output shows them, kept while they are written.
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class FlowFields {
  public:
    FlowFields(FlowSolver& solver, const Domain& domain, const FlowCase& flow);

    // Refers to the fields: no longer than they live.
    RunState state() const;
    // "speed", "pressure", "vorticity", "q_criterion", "stream_function", a scalar
    std::vector<double> pictured(const std::string& field) const;

  private:
    std::span<const double> component(int k) const;

    double time_;
    int dimension_;
    bool is_parabolic_;                                  // velocity, as monitors see it
    std::vector<double> node_velocity_, cell_velocity_;  // three columns, also in two dimensions
    std::vector<double> pressure_;                       // [Pa]
    std::vector<double> vorticity_;                      // one column in two dimensions
    std::vector<double> q_criterion_;
    std::vector<double> stream_function_;      // on nodes; empty in three dimensions
    std::vector<GlobalIndex> velocity_parts_;  // FlowSolver::velocity_parts()
    struct Scalar {
        std::string name, convection;
        std::vector<double> nodes, cells;
        std::vector<GlobalIndex> parts;  // FlowSolver::scalar_parts()
    };
    std::vector<Scalar> scalars_;
};

// Those of the cells alone, as the solver has them.
class FlowCellFields {
  public:
    FlowCellFields(FlowSolver& solver, int dimension, const FlowCase& flow);
    RunState state() const;  // refers to the fields

  private:
    double time_;
    std::vector<double> velocity_;  // three columns
    std::vector<std::pair<std::string, std::vector<double>>> scalars_;
};

// Lengths of vectors given column by column.
std::vector<double> magnitudes(std::span<const double> vectors, int columns);

}  // namespace solenoid
