// The sources of collocated momentum: scalars, which move with the flow, and the force on it,
//   f = f_given - sum over scalars of expansion (scalar - reference) g
// The pressure gradients of faces and cells are stored less the force, G = A n . (grad p - f) and
// q = grad p - f, so that a pressure that balances the force leaves q = G = 0. docs/numerics.md,
// "Boundaries of a flow", "Body forces", "Scalars".
#pragma once

#include "flow/collocated/flux_coupling.hpp"
#include "flow/collocated/flux_projection.hpp"
#include "flow/scalar/scalar_transport.hpp"
#include "flow/solver/forcing.hpp"

namespace solenoid {

// Of which scalars a step has the buoyancy: those of its end, or the mean of its start and its end.
enum class Buoyancy { of_end, of_both_ends };

template <class Real>
class FlowSources {
  public:
    using Scalars = std::vector<std::unique_ptr<ScalarTransport<Real>>>;
    // All references must outlive this. Collective, as all below.
    FlowSources(const Domain& domain, const FlowCase& flow, const FlowBoundaries& boundaries,
                Forcing<Real>& forcing, Momentum<Real>& momentum, FluxCoupling<Real>& coupling,
                FluxProjection<Real>& projection, Buoyancy buoyancy);
    ~FlowSources();

    // Computes the force at a time [s]. The first step starts with a pressure that balances it,
    // q = G = 0.
    void start(double time);
    // A step of the scalars by dt [s] with the flux at its start, then the step's force f in place
    // of the last one: q += f_last - f, and G likewise. The pressure is unchanged. w: dt over the
    // step before; span: see Forcing.
    void advance(CollocatedState<Real>& s, double dt, double w,
                 const typename Forcing<Real>::Step& span);

    bool has_force() const { return bool(force_); }
    // The force of the current or last step: cell vectors with boundary values [m/s^2].
    const Field<Real>& force() const { return force_; }
    // The whole force at a time [s] with the present scalars: cell vectors [m/s^2].
    Field<Real> force_at(double time);
    const Scalars& scalars() const { return scalars_; }
    // found: preconditioners of the scalars, and the force; the projection stores its own part.
    void register_state(const State<Real>& motion, const State<Real>& found);

  private:
    void assemble(const Field<Real>& given, Field<Real>& to);
    void add_buoyancy(Field<Real>& to);
    void change_force(Field<Real>& q, Field<Real>& gradient);
    void update_projection();

    const Domain& domain_;
    Forcing<Real>& forcing_;
    Momentum<Real>& momentum_;
    FluxCoupling<Real>& coupling_;
    FluxProjection<Real>& projection_;
    const Buoyancy buoyancy_;
    Scalars scalars_;
    bool changes_ = false;
    // For each scalar: -expansion gravity, by the number of times that add_buoyancy() is called in
    // a step [m/s^2 per unit of the scalar].
    std::vector<Vec3> acceleration_;
    Field<Real> force_, next_, at_nodes_;  // cell and node vectors [m/s^2]; empty without a force
};

}  // namespace solenoid
