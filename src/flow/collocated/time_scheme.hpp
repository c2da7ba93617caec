// Time schemes of collocated momentum: `flow.time_scheme` of a case. A scheme is one file of this
// folder, a CollocatedStep, and one line of time_schemes.cpp. docs/numerics.md, "Collocated
// momentum".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/precision_dispatch.hpp"
#include "flow/solver/bdf2.hpp"
#include "operators/domain.hpp"
#include "operators/state.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {

class FlowBoundaries;
template <class Real>
class FluxCoupling;
template <class Real>
class FluxProjection;
template <class Real>
class FlowSources;
template <class Real>
class Momentum;
template <class Real>
struct CollocatedState;
enum class Buoyancy;

// What steps are made of; all outlive the step.
template <class Real>
struct CollocatedParts {
    const Domain& domain;
    const FlowBoundaries& boundaries;
    CollocatedState<Real>& state;
    Momentum<Real>& momentum;
    FluxCoupling<Real>& coupling;
    FluxProjection<Real>& projection;
    FlowSources<Real>& sources;
    const CgSettings& momentum_solver;
    double step_tolerance;  // see FlowCase::step_tolerance
};

// The step of a time scheme. What several schemes have in common belongs to CollocatedFlow: the two
// passes of a first step, cells held to their fluxes, the clock, limits of the step.
template <class Real>
class CollocatedStep {
  public:
    virtual ~CollocatedStep() = default;

    struct Span {
        double dt, w;   // [s]; dt over the step before, 0: there is no earlier state
        bool is_first;  // no earlier pressure is known
    };
    // Advances u, the flux, q and G of the state. Throws ComputationError where a solve fails.
    // Collective.
    virtual void advance(const Span& span) = 0;
    // Extrapolates A dp/dn of the last step [m^3/s^2, in 2D m^2/s^2] from the time at which the
    // scheme has the pressure to the end of the step. False: that is the end of the step.
    virtual bool bring_to_end(Field<Real>& gradient) const {
        (void)gradient;
        return false;
    }
    // Extrapolates Projection::pressure_rise() to the end of the step.
    virtual void bring_rise_to_end(std::vector<std::optional<double>>& rise) const { (void)rise; }
    virtual void register_state(const State<Real>& state) = 0;
    // Local error of a step of length dt [s], after one of length `before` [s], over the third
    // divided difference of the velocity [s^3].
    virtual double error_of_third(double dt, double before) const { return bdf2_error(dt, before); }
    virtual std::string chosen_form() const { return {}; }  // see FlowSolver::chosen_form()
    virtual SolveTotals solves() const = 0;                 // of the momentum equation
    // For the energy budget, of the last step: its formula, the explicit terms [m^4/s^2, in 2D
    // m^3/s^2], and u before it was constrained [m/s]. Of schemes with has_energy_budget only.
    virtual Bdf2 explain(Field<Real>& transport, Field<Real>& projected) const {
        (void)transport, (void)projected;
        return {0, 0};
    }
};

struct TimeSchemeKind {
    std::string name, help;  // of flow.time_scheme; help in Markdown
    double courant_limit;    // largest Courant number [1]
    Buoyancy buoyancy;
    bool has_energy_budget;
    // Largest aspects of layers, flat and in any direction, with which flow is right to 1 %: by
    // fluxes from a stream function, and by a pressure.
    double aspect, aspect_by_pressure;
    template <class Real>
    using Make =
        std::function<std::unique_ptr<CollocatedStep<Real>>(const CollocatedParts<Real>& parts)>;
    PrecisionDispatch<Make> make;
};
const std::vector<TimeSchemeKind>& time_scheme_kinds();  // in the order of the docs

// The kind of the step Step<Real>.
template <template <class> class Step>
TimeSchemeKind time_scheme_kind(std::string name, std::string help, double courant_limit,
                                Buoyancy buoyancy, bool has_energy_budget, double aspect,
                                double aspect_by_pressure) {
    const auto make = []<class Real>(const CollocatedParts<Real>& parts)
        -> std::unique_ptr<CollocatedStep<Real>> { return std::make_unique<Step<Real>>(parts); };
    return {std::move(name),   std::move(help), courant_limit,      buoyancy,
            has_energy_budget, aspect,          aspect_by_pressure, {make, make}};
}

}  // namespace solenoid
