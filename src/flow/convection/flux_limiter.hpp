// Flux-corrected transport of a scalar (Zalesak 1979): the fraction of the difference between a
// second-order and a monotone scheme that each face may carry so that no value leaves a given
// range. docs/numerics.md, "Scalars".
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
        double least, greatest, margin;  // margin: tolerance of the range
        // tolerance within the range for values between the monotone and the second-order solution
        double slack;
    };
    // Limits a second-order solution. low: the monotone solution, within the range. excess: the
    // face fluxes of the second-order scheme less those of the monotone one. high: the second-order
    // solution with boundary values on entry, the limited one on return. Returns the fluxes that
    // are cut. Collective.
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
    // cells with boundary entries, where nothing is limited
    Field<Real> given_, taken_, value_;
    Field<Real> least_, greatest_;     // bounds of the cells
    Field<Real> beyond_, low_beyond_;  // value, and monotone solution, less a bound
    Field<Real> cut_;                  // faces: the fluxes that are cut
};

}  // namespace solenoid
