// What skew-symmetric convection lacks at boundaries with a given pressure, by which a flow that
// does not change along a duct would change at its ends. docs/numerics.md, "Ends of ducts".
#pragma once

#include "flow/convection/convection_scheme.hpp"
#include "operators/entity_access.hpp"

namespace solenoid {

template <class Real>
class DuctEnds {
  public:
    // All references must outlive this. Collective, as add().
    DuctEnds(const Domain& domain, const FlowBoundaries& boundaries,
             BoundaryVelocity<Real>& velocity);

    // Adds to what the transposed of the nodes' interpolation spreads, -2 L of
    //   <v, L> = sum over faces of U [(v_f - v_c) (c - (u_c + u_f) / 2) + cov(v, c - u / 2)],
    // U outward, v_f the value at the face, c what is carried, cov the covariance over the face of
    // the nodes' interpolants.
    void add(const typename Convection<Real>::Carried& carried, Field<Real>& at_nodes);
    double power() const { return power_; }  // of this rank's faces, -<u, L> of the last add()

  private:
    const Domain& domain_;
    const int d_;
    BoundaryVelocity<Real>& velocity_;
    bool are_there_ = false;       // on any rank
    std::vector<double> outward_;  // of this rank's own faces
    // likewise: d + 1 a face, its nodes and the one opposite among all ranks' nodes
    std::vector<Index> place_;
    std::unique_ptr<Probe<Real>> cells_, faces_, nodes_, flux_;
    std::vector<Index> mine_;  // this rank's nodes among all ranks'
    std::size_t all_ = 0;
    Buffer<std::uint32_t> node_;
    Buffer<Real> value_;
    Field<Real> sums_;  // nodes
    double power_ = 0;
};

}  // namespace solenoid
