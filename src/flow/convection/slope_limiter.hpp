// How much of its slope each cell may use so that no reconstruction leaves the range of the values
// around (Kuzmin 2010): convection = "blended".
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

    // 0 to 1 by component, on the cells held. u: of cells, ghosts filled; at_nodes: its node
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
