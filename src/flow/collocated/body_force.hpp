// Body forces f and the buoyancy of scalars in collocated momentum:
//   f = f_given - sum over scalars of expansion (scalar - reference) g
// The pressure gradients of faces and cells are stored less the force, G = A n . (grad p - f) and
// q = grad p - f, so that a pressure that balances the force leaves q = G = 0. docs/numerics.md,
// "Boundaries of a flow", "Body forces".
#pragma once

#include "flow/collocated/flux_coupling.hpp"
#include "flow/projection/projection.hpp"
#include "flow/scalar/scalar_transport.hpp"
#include "flow/solver/forcing.hpp"

namespace solenoid {

template <class Real>
class BodyForce {
  public:
    using Scalars = std::vector<std::unique_ptr<ScalarTransport<Real>>>;
    // shares: number of equal parts in which a step adds the buoyancy, each from the scalars at the
    // time of the call. All references must outlive this.
    BodyForce(const Domain& domain, const FlowCase& flow, Forcing<Real>& forcing,
              const Scalars& scalars, Momentum<Real>& momentum, FluxCoupling<Real>& coupling,
              Projection<Real>& projection, int shares);

    // Computes the force at a time [s]. The first step starts with a pressure that balances it,
    // q = G = 0. Collective, as all below.
    void start(double time);
    bool is_there() const { return bool(force_); }
    bool changes() const { return changes_; }
    // The force of the current or last step: cell vectors with boundary values [m/s^2].
    const Field<Real>& values() const { return force_; }
    // Sets the next force to the case's force over a step, and adds the first share of the
    // buoyancy.
    void begin(const typename Forcing<Real>::Step& step);
    void add_buoyancy() { add_buoyancy(next_); }
    // Replaces the force f by the next one, f': q += f - f', and the flux of f - f' is added to
    // `gradient` [m^3/s^2, in 2D m^2/s^2]. The pressure is unchanged.
    void change(Field<Real>& q, Field<Real>& gradient);
    // The whole force at a time [s] with the present scalars: cell vectors [m/s^2].
    Field<Real> at(double time);
    // The projection stores its own part of the force.
    void keep_in(Snapshot<Real>& snapshot) { snapshot.add(force_); }

  private:
    void assemble(const Field<Real>& given, Field<Real>& to);
    void add_buoyancy(Field<Real>& to);
    void update_projection();

    const Domain& domain_;
    Forcing<Real>& forcing_;
    const Scalars& scalars_;
    Momentum<Real>& momentum_;
    FluxCoupling<Real>& coupling_;
    Projection<Real>& projection_;
    const int shares_;
    bool changes_ = false;
    // For each scalar: -expansion gravity / shares [m/s^2 per unit of the scalar].
    std::vector<Vec3> acceleration_;
    Field<Real> force_, next_, at_nodes_;  // cell and node vectors [m/s^2]; empty without a force
};

}  // namespace solenoid
