// Flux-corrected transport of a scalar: how much of what a second-order scheme carries beyond a
// monotone one each face may carry so that no value leaves a given range (Zalesak 1979).
// docs/numerics.md, "Scalars".
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
        // and by how much, within it, what lies between the monotone solution and that of second
        // order
        double slack;
    };
    // high, of second order, followed by boundary faces' values, becomes what both cells of each
    // face allow of `excess`, what it carried beyond `low`, a solution in the range. Returns what
    // is cut out of the fluxes. Collective.
    const Field<Real>& limit(const ValueRange& range, const Buffer<Real>& low,
                             const Field<Real>& excess, Field<Real>& high);

  private:
    void set_bounds(const ValueRange& range, const Buffer<Real>& low, const Buffer<Real>& high);
    void mix(const ValueRange& range, const Buffer<Real>& low, const Field<Real>& excess,
             Field<Real>& high);
    double restrict_parts(bool from_below, double margin, const Buffer<Real>& low,
                          const Field<Real>& excess);

    const Domain& domain_;
    const CellStencil<Real>& stencil_;
    const int d_;
    // cells, boundary faces' at their end, where nothing limits
    Field<Real> given_, taken_, value_;
    Field<Real> least_, greatest_;     // cells: their bounds
    Field<Real> beyond_, low_beyond_;  // cells: value and monotone solution less a bound
    Field<Real> cut_;                  // faces
};

}  // namespace solenoid
