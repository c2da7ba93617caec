// Flux-corrected transport of a scalar: how much of what a second-order scheme carries beyond a monotone one each face may
// carry so that no value leaves a given range (Zalesak 1979). docs/numerics.md, "Scalars".
#pragma once

#include "flow/discretization/cell_stencil.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
class FluxLimiter {
  public:
    // All references must outlive this.
    FluxLimiter(const Domain& domain, const CellStencil<Real>& stencil);

    struct ValueRange {
        double least, greatest, margin;  // by how much values may leave it
    };
    // high, of second order, lengthened by boundary faces' values, becomes what both cells of each face allow of `excess`, what it carried beyond `low`, a solution
    // in the range. Returns what is cut out of the fluxes. Collective.
    const Buffer<Real>& limit(const ValueRange& range, const Buffer<Real>& low, const Buffer<Real>& excess, Field<Real>& high);

  private:
    bool restrict_parts(const ValueRange& range, const Buffer<Real>& low, const Buffer<Real>& value, const Buffer<Real>& excess);

    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    const int d_;
    Field<Real> given_, taken_, value_;  // cells, boundary faces' at their end, where nothing limits
    Field<Real> cut_;                    // faces
};

}  // namespace solenoid
