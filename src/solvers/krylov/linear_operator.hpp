// What a Krylov method sees of a matrix A: products A x and residuals b - A x of vectors on a
// device, one entry an entity and column.
#pragma once

#include <array>
#include <functional>
#include <utility>

#include "device/device.hpp"

namespace solenoid {

// One number for each column of vectors.
struct ColumnSums : std::array<double, 3> {
    friend ColumnSums operator+(ColumnSums a, const ColumnSums& b) {
        for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
        return a;
    }
};

// x . y of each column over a range, in one pass. Vectors of 1, 2 or 3 columns. Collective.
template <class Real>
ColumnSums column_dots(const SummingRanks& ranks, Device& device, Range range,
                       const Buffer<Real>& x, const Buffer<Real>& y);

template <class Real>
class LinearOperator {
  public:
    virtual ~LinearOperator() = default;
    virtual Device& device() const = 0;
    virtual Range range() const = 0;  // marked entities: what vectors are updated and summed over
    virtual Index size() const = 0;   // of the vectors, ghosts included
    // Of the vectors: right-hand sides of one matrix, or the components of a vector field.
    virtual int columns() const { return 1; }
    Buffer<Real> vector() const { return device().template buffer<Real>(size(), columns()); }

    // y = A x. Fills the ghosts of x first. Collective.
    virtual void apply(Buffer<Real>& x, Buffer<Real>& y) = 0;
    // y = A x; returns this rank's part of x . y of each column. Overridden where one pass has
    // both. Collective.
    virtual ColumnSums apply_dot(const SummingRanks& ranks, Buffer<Real>& x, Buffer<Real>& y);
    // r = b - A x; returns this rank's part of r . r of each column. Overridden likewise.
    // Collective.
    virtual ColumnSums residual(const SummingRanks& ranks, const Buffer<Real>& b, Buffer<Real>& x,
                                Buffer<Real>& r);
    // The matrix as it is now in single precision, made at the first call; std::logic_error where
    // it has no such copy. Collective.
    virtual LinearOperator<float>& rounded();
};

// A linear operator given by a function, y = A x.
template <class Real>
class FunctionOperator final : public LinearOperator<Real> {
  public:
    using Function = std::function<void(Buffer<Real>& x, Buffer<Real>& y)>;
    FunctionOperator(Device& device, Range range, Index size, int columns, Function function)
        : device_(device),
          range_(range),
          size_(size),
          columns_(columns),
          function_(std::move(function)) {}

    Device& device() const override { return device_; }
    Range range() const override { return range_; }
    Index size() const override { return size_; }
    int columns() const override { return columns_; }
    void apply(Buffer<Real>& x, Buffer<Real>& y) override { function_(x, y); }

  private:
    Device& device_;
    const Range range_;
    const Index size_;
    const int columns_;
    const Function function_;
};

}  // namespace solenoid
