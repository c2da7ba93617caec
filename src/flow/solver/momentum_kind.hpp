// The kinds of momentum: `flow.momentum` of a case. Each stands in the file of its solver or of its
// momentum, and is one line of flow/momentum_kinds.cpp.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/precision_dispatch.hpp"
#include "flow/solver/flow_solver.hpp"

namespace solenoid {

// The thinnest layers (ThinLayers) with which a kind of momentum is right.
struct ThinLayerBounds {
    double at_boundaries, inside;  // aspects
    double curved;                 // aspect times length along a wall over its radius
    std::string remedy = {};       // a setting with which it bears more; empty: none
    double in_single = HUGE_VAL;   // aspect at which rounding of single precision ends the flow
};

struct MomentumKind {
    std::string name, help;  // help in Markdown
    // The names that it goes with; of the convections the first is its default.
    std::vector<std::string> methods, convections;
    std::string convection_help = {};  // where its convections are not ConvectionSchemes; Markdown
    std::vector<std::string> time_schemes, diffusions;
    bool carries_scalars, bears_varying_viscosity, has_energy_budget, estimates_errors;
    std::function<ThinLayerBounds(const FlowSettings&)> thin_layers;
    // All references must outlive the solver. Throws InputError where case and mesh do not fit,
    // ComputationError where the initial velocity cannot be projected. Collective.
    template <class Real>
    using Make = std::function<std::unique_ptr<FlowSolver>(const Domain&, const FlowCase&)>;
    PrecisionDispatch<Make> solver;
};

}  // namespace solenoid
