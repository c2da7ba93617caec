// What drives a flow besides its boundaries: a body force, and fluxes imposed between periodic sides.
#pragma once

#include "flow/solver/flow_solver.hpp"
#include "mesh/geometry.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class Drive {
  public:
    // All references must outlive this. Throws InputError where a pair has two fluxes. Collective.
    Drive(const Domain& domain, const FlowCase& flow);

    bool has_force() const { return static_cast<bool>(force_); }
    bool changes() const;  // the force, in time
    // Of a unit of mass [m/s^2] at time t: a vector a cell held. Collective.
    const Field<Real>& force(double t);

    bool imposes() const;
    // For every pair of Mesh::folding the flux imposed at time t, as Projection::impose takes it. Collective.
    std::vector<std::optional<double>> imposed(double t) const;
    // The fluxes as they are, with what the imposed ones take. Collective.
    std::vector<SectionFlow> sections(const Buffer<Real>& flux, const std::vector<std::optional<double>>& pressure_rise) const;

  private:
    struct Imposed {
        Formula flux;
        double sign;  // -1: it is given from `to` to `from`
    };

    const Domain& domain_;
    const VectorFormula formula_;
    bool is_seen_ = false;
    Field<Real> force_;  // empty: none
    Sections<Real> sections_;
    std::vector<std::optional<Imposed>> imposed_;  // of each section
};

}  // namespace solenoid
