// Body forces and the buoyancy of scalars in collocated momentum. The pressure bears them: G and q,
// the pressure's gradient on faces and cells, are kept less the force, and the projection sees the
// force by the same differences as the pressure. docs/numerics.md, "Body forces".
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
    // shares: in how many a step sees the buoyancy, each of the scalars as they then are. All
    // references must outlive this.
    BodyForce(const Domain& domain, const FlowCase& flow, Forcing<Real>& forcing,
              const Scalars& scalars, Momentum<Real>& momentum, FluxCoupling<Real>& coupling,
              Projection<Real>& projection, int shares);

    // Until a step tells better the pressure bears the force: q = G = 0. Collective, as all below.
    void start(double time);
    bool is_there() const { return bool(force_); }
    bool changes() const { return changes_; }
    // of the step under way or the last: cell vectors [m/s^2], with boundary values
    const Field<Real>& values() const { return force_; }
    // The next force: what the case gives for a step and a share of buoyancy; a further share.
    void begin(const typename Forcing<Real>::Step& step);
    void add_buoyancy() { add_buoyancy(next_); }
    // From the force to the next one: q and G keep the pressure, and become less another force.
    void change(Field<Real>& q, Field<Real>& gradient);
    // All of it at a time, of the scalars as they are: cell vectors.
    Field<Real> at(double time);
    // what the projection saw of it is its own
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
    // of each scalar, a unit of it, a share: -expansion gravity / shares
    std::vector<Vec3> acceleration_;
    Field<Real> force_, next_, at_nodes_;  // [m/s^2]; empty: none
};

}  // namespace solenoid
