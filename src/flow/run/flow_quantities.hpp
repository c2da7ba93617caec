// What a flow can tell, one entry a quantity: its name and help, and how it is computed.
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "run/quantities.hpp"

namespace solenoid {

// A flow to read values of. all: the quantities themselves, for those that follow from others.
struct FlowReader {
    FlowSolver& solver;
    const Domain& domain;
    const FlowCase& flow;
    Quantities& all;
};

struct FlowQuantity {
    QuantityInfo info;
    std::function<std::vector<double>(const FlowReader&)> compute;
    std::function<Quantities::Interpolation(const FlowReader&)> interpolation = {};
    // Whether the solver has it.
    std::function<bool(const FlowSolver&)> exists = [](const FlowSolver&) { return true; };
    std::function<Quantities::AtPoint(const FlowReader&)> at_point = {};
};

// flow: null for those of every case. dimension: 0 where it is not known.
std::vector<FlowQuantity> flow_quantities(const FlowCase* flow, int dimension);

// Adds all that the solver has to reader.all. References in the reader must outlive that.
void add_quantities(const FlowReader& reader);

// Values of "force" on boundaries, without strength, of "energy_budget" and of
// "gradient_integrals", as what they mean.
std::vector<BoundaryForce> forces_of(const std::vector<double>& values);
EnergyTerms energy_terms_of(const std::vector<double>& values);
GradientIntegrals gradient_integrals_of(const std::vector<double>& values);

}  // namespace solenoid
