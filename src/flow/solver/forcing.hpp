// Forcing of a flow: the body force f, and fluxes imposed between periodic sides.
#pragma once

#include <optional>

#include "flow/solver/flow_solver.hpp"
#include "mesh/geometry.hpp"
#include "operators/state.hpp"

namespace solenoid {

template <class Real>
class Forcing {
  public:
    // All references must outlive this. Throws InputError where a pair has two fluxes. Collective.
    Forcing(const Domain& domain, const FlowCase& flow);

    bool has_force() const { return static_cast<bool>(force_); }
    bool changes() const;  // the force, in time
    // f [m/s^2] at time t: a vector for each cell, ghosts included. Collective.
    const Field<Real>& force(double t);
    // From now on force_over() integrates f over the step, by these parts of time.
    void integrate_over(const TimeParts& parts) { parts_ = parts; }
    // The force of a step from `from` to `to`: f(when), or after integrate_over() the f of
    //   kept I_before + reach f = I
    // with the integrals I and I_before of f over this step and the last one. Collective.
    struct Step {
        double from, to, when, kept, reach;  // [s]; kept: a number
        bool operator==(const Step&) const = default;
    };
    const Field<Real>& force_over(const Step& step);

    bool imposes() const;
    // Imposed fluxes at time t, one for each pair of Mesh::periodic_map, for Projection::impose().
    // Collective.
    std::vector<std::optional<double>> imposed(double t) const;
    // After the force has been computed.
    void register_state(const State<Real>& state);
    // Present fluxes through the cut surfaces, with the pressure rise of the imposed ones.
    // Collective.
    std::vector<SectionFlow> cut_surfaces(
        const Buffer<Real>& flux, const std::vector<std::optional<double>>& pressure_rise) const;

  private:
    std::vector<double> values(double t) const;

    struct Imposed {
        Formula flux;
        double sign;  // -1: it is given from `to` to `from`
    };

    const Domain& domain_;
    const VectorFormula formula_;
    bool is_seen_ = false;
    Field<Real> force_;  // empty: none
    TimeParts parts_;
    std::optional<Step> step_;      // whose force is there; none: that of a time is
    std::vector<double> integral_;  // over the last step, as values(), where there was one:
    bool has_integral_ = false;
    CutSurfaces<Real> cut_surfaces_;
    std::vector<std::optional<Imposed>> imposed_;  // of each section
};

}  // namespace solenoid
