// What a Krylov method sees of a matrix: products and residuals of fields, and where they are marked.
#pragma once

#include "device/device.hpp"

namespace solenoid {

template <class Real>
class LinearOperator {
  public:
    virtual ~LinearOperator() = default;
    virtual Range range() const = 0;  // marked entities: what vectors are updated and summed over
    virtual Index size() const = 0;   // of the vectors, ghosts included
    // y = A x; returns this rank's part of x . y. Fills the ghosts of x first.
    virtual double apply(Buffer<Real>& x, Buffer<Real>& y) = 0;
    // r = b - A x; returns this rank's part of r . r. Fills the ghosts of x first.
    virtual double residual(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& r) = 0;
    // The matrix as it is now in single precision: made at the first call. Collective.
    virtual LinearOperator<float>& rounded() = 0;
};

}  // namespace solenoid
