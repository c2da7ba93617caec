// Slope limiter of convection "blended": the fraction of its slope that each cell may use so that
// its reconstruction stays in the range of the surrounding values (Kuzmin 2010).
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
class SlopeLimiter {
  public:
    // columns: 1 for a number, `dimension` for a vector. All references must outlive this.
    SlopeLimiter(const Domain& domain, const FlowBoundaries& boundaries,
                 const CellStencil<Real>& stencil, int columns);

    // The limits, 0 to 1, by component, on the cells held. u: cells with ghosts; at_nodes: its node
    // values. Collective.
    const Field<Real>& limits(const Field<Real>& u, const Field<Real>& at_nodes);
    const Field<Real>& last() const { return limit_; }

  private:
    void extreme(const Field<Real>& u, const Field<Real>& at_nodes, int sign, Field<Real>& out);

    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    const int d_, columns_;
    Buffer<Real> on_boundary_;
    Field<Real> largest_, least_negated_, limit_;
};

}  // namespace solenoid
