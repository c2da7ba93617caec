// The fields of a flow for output, stored while they are written.
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/run_output.hpp"

namespace solenoid {

class FlowFields {
  public:
    FlowFields(FlowSolver& solver, const Domain& domain, const FlowCase& flow);

    // Refers to the fields, which must outlive it.
    RunState state() const;
    // The node values of "speed", "pressure", "vorticity", "q_criterion", "stream_function" or a
    // scalar.
    std::vector<double> pictured(const std::string& field) const;

  private:
    std::span<const double> component(int k) const;

    double time_;
    int dimension_;
    bool is_parabolic_;  // whether monitors interpolate the velocity by parabolas
    std::vector<double> node_velocity_, cell_velocity_;  // three columns, also in 2D
    std::vector<double> pressure_;                       // [Pa]
    std::vector<double> vorticity_;                      // one column in 2D
    std::vector<double> q_criterion_;
    std::vector<double> stream_function_;      // on nodes; empty in 3D
    std::vector<GlobalIndex> velocity_parts_;  // FlowSolver::velocity_parts()
    struct Scalar {
        std::string name, convection;
        std::vector<double> nodes, cells;
        std::vector<GlobalIndex> parts;  // FlowSolver::scalar_parts()
    };
    std::vector<Scalar> scalars_;
};

// The cell fields alone, as the solver has them.
class FlowCellFields {
  public:
    FlowCellFields(FlowSolver& solver, int dimension, const FlowCase& flow);
    RunState state() const;  // refers to the fields

  private:
    double time_;
    std::vector<double> velocity_;  // three columns
    std::vector<std::pair<std::string, std::vector<double>>> scalars_;
};

// The lengths of vectors given column by column.
std::vector<double> magnitudes(std::span<const double> vectors, int columns);

}  // namespace solenoid
