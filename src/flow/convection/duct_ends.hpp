// Terms of skew-symmetric convection at boundaries with a given pressure. Without them a flow that
// is uniform along a duct would change at the duct's ends. docs/numerics.md, "Ends of ducts".
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

    // Adds -2 L to the node values that the transposed node interpolation spreads to the cells,
    // with
    //   <v, L> = sum over faces of U [(v_f - v_c) (c - (u_c + u_f) / 2) + cov(v, c - u / 2)],
    // U the outward flux, v_f the value at the face, c the convected value, cov the covariance over
    // the face of the nodes' interpolants.
    void add(const typename Convection<Real>::Carried& carried, Field<Real>& at_nodes);
    RankSum power() const { return power_; }  // -<u, L> of the last add() on this rank's faces

  private:
    const Domain& domain_;
    const int d_;
    BoundaryVelocity<Real>& velocity_;
    bool are_there_ = false;       // on any rank
    std::vector<double> outward_;  // +1 or -1, of this rank's own faces
    // of these faces: d + 1 entries each, its nodes and the opposite node, as places in the list of
    // all ranks' nodes
    std::vector<Index> place_;
    std::unique_ptr<Probe<Real>> cells_, faces_, nodes_, flux_;
    std::vector<Index> mine_;  // this rank's nodes in the list of all ranks' nodes
    std::size_t all_ = 0;
    Buffer<std::uint32_t> node_;
    Buffer<Real> value_;
    Field<Real> sums_;  // nodes
    RankSum power_;
};

}  // namespace solenoid
