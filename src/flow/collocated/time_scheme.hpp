// How a step of collocated momentum goes in time. A scheme is one file of this folder and one line
// of time_schemes.cpp.
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

    // One step of length dt [s], dt / w after the one before (w = 0: there was none), up to the new
    // u and flux. Throws ComputationError. Collective.
    virtual void step(double dt, double w) = 0;
    // The largest Courant number; carries_scalars: that are not stepped in parts.
    virtual double courant_limit(bool carries_scalars) const = 0;
    // From A dp/dn of the last step, at the time of which the scheme takes the pressure, to that at
    // its end; true where they differ.
    virtual bool bring_to_end(Field<Real>& gradient) const {
        (void)gradient;
        return false;
    }
    // The same of what Projection::pressure_rise() gives.
    virtual void bring_rise_to_end(std::vector<std::optional<double>>& rise) const { (void)rise; }
    // Cell vectors that the next step needs besides the system's.
    virtual std::vector<Field<Real>*> history() { return {}; }
    virtual void keep_in(Snapshot<Real>& snapshot) {
        for (Field<Real>* field : history()) snapshot.add(*field);
    }
    // The local error of a step of second order, dt [s] long and `before` after the one before,
    // over the third divided difference of the velocity [s^3].
    virtual double error_of_third(double dt, double before) const { return bdf2_error(dt, before); }
    virtual SolveTotals solves() const = 0;  // of momentum
    // What the last step made was of, for the budget of kinetic energy, where the kind has one:
    // what it took explicitly [m^4/s^2, in 2D m^3/s^2], and u before it was held.
    virtual Bdf2 explain(Field<Real>& transport, Field<Real>& projected) const {
        (void)transport, (void)projected;
        return {0, 0};
    }
};

struct TimeSchemeKind {
    std::string name, help;  // of flow.time_scheme; help in Markdown
    int force_shares;        // of BodyForce
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
