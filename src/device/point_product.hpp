// Products with a sparse matrix as a device draws them: points with four entries of a row each,
// blended into the row's place (Krueger & Westermann 2005).
#pragma once

#include <memory>
#include <span>

#include "device/device.hpp"

namespace solenoid {

// A matrix as points.
class PointRows {
  public:
    virtual ~PointRows() = default;
    // y = A x; y has a number for each row.
    virtual void multiply(const Storage& x, Storage& y) = 0;
};

// A device that draws them: the fragment device.
class PointProduct {
  public:
    virtual ~PointProduct() = default;
    // real: float32 or float64, of x, y and the entries.
    virtual std::unique_ptr<PointRows> point_rows(const Rows& rows, std::span<const double> entries,
                                                  ElementType real) = 0;
};

}  // namespace solenoid
