// What a Krylov method sees of a matrix: products and residuals of fields, and where they are
// marked.
#pragma once

#include <array>

#include "device/device.hpp"

namespace solenoid {

// One number for each column of vectors.
struct ColumnSums : std::array<double, 3> {
    friend ColumnSums operator+(ColumnSums a, const ColumnSums& b) {
        for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
        return a;
    }
};

template <class Real>
class LinearOperator {
  public:
    virtual ~LinearOperator() = default;
    virtual Range range() const = 0;  // marked entities: what vectors are updated and summed over
    virtual Index size() const = 0;   // of the vectors, ghosts included
    // of the vectors: one system with as many right-hand sides
    virtual int columns() const { return 1; }
    // y = A x; returns this rank's part of x . y. Fills the ghosts of x first.
    virtual double apply(Buffer<Real>& x, Buffer<Real>& y) = 0;
    // r = b - A x; returns this rank's part of r . r. Fills the ghosts of x first.
    virtual double residual(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& r) = 0;
    // The same where vectors have several columns, at once.
    virtual ColumnSums apply_columns(Buffer<Real>& x, Buffer<Real>& y) { return {apply(x, y)}; }
    virtual ColumnSums residual_columns(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& r) {
        return {residual(b, x, r)};
    }
    // The matrix as it is now in single precision: made at the first call. Collective.
    virtual LinearOperator<float>& rounded() = 0;
};

}  // namespace solenoid
