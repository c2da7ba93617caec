// Time schemes of collocated momentum: `flow.time_scheme` of a case. A scheme is one file of this
// folder and one line of time_schemes.cpp. docs/numerics.md, "Collocated momentum".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/precision_dispatch.hpp"
#include "flow/solver/bdf2.hpp"
#include "operators/domain.hpp"
#include "operators/snapshot.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {

template <class Real>
class CollocatedSystem;

template <class Real>
class TimeScheme {
  public:
    virtual ~TimeScheme() = default;

    // Advances u and the flux by dt [s]. w = dt / dt_before; 0: there is no earlier state. Throws
    // ComputationError where a solve fails. Collective.
    virtual void step(double dt, double w) = 0;
    // Largest Courant number [1]. carries_scalars: there are scalars whose steps are not divided.
    virtual double courant_limit(bool carries_scalars) const = 0;
    // Extrapolates A dp/dn of the last step [m^3/s^2, in 2D m^2/s^2] from the time at which the
    // scheme has the pressure to the end of the step. False: that is the end of the step.
    virtual bool bring_to_end(Field<Real>& gradient) const {
        (void)gradient;
        return false;
    }
    // Extrapolates Projection::pressure_rise() to the end of the step.
    virtual void bring_rise_to_end(std::vector<std::optional<double>>& rise) const { (void)rise; }
    // Cell vectors of the scheme that the next step needs.
    virtual std::vector<Field<Real>*> history() { return {}; }
    virtual void keep_in(Snapshot<Real>& snapshot) {
        for (Field<Real>* field : history()) snapshot.add(*field);
    }
    // Local error of a step of length dt [s], after one of length `before` [s], over the third
    // divided difference of the velocity [s^3].
    virtual double error_of_third(double dt, double before) const { return bdf2_error(dt, before); }
    virtual SolveTotals solves() const = 0;  // of the momentum equation
    // For the energy budget, of the last step: its formula, the explicit terms [m^4/s^2, in 2D
    // m^3/s^2], and u before it was constrained [m/s]. Of schemes with has_energy_budget only.
    virtual Bdf2 explain(Field<Real>& transport, Field<Real>& projected) const {
        (void)transport, (void)projected;
        return {0, 0};
    }
};

struct TimeSchemeKind {
    std::string name, help;  // of flow.time_scheme; help in Markdown
    int force_shares;        // `shares` of BodyForce
    bool has_energy_budget;
    template <class Real>
    using Make = std::function<std::unique_ptr<TimeScheme<Real>>(CollocatedSystem<Real>&,
                                                                 const CgSettings& momentum)>;
    PrecisionDispatch<Make> make;
};
const std::vector<TimeSchemeKind>& time_scheme_kinds();  // in the order of the docs

template <template <class> class Scheme>
TimeSchemeKind time_scheme_kind(std::string name, std::string help, int force_shares,
                                bool has_energy_budget) {
    const auto make = []<class Real>(
                          CollocatedSystem<Real>& system,
                          const CgSettings& momentum) -> std::unique_ptr<TimeScheme<Real>> {
        return std::make_unique<Scheme<Real>>(system, momentum);
    };
    return {std::move(name), std::move(help), force_shares, has_energy_budget, {make, make}};
}

}  // namespace solenoid
