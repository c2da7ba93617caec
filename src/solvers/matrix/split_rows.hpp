// A matrix in sliced rows on a device for products with vectors of Real, without a halo of its own.
// One invocation a row adds up its entries one after the other: where rows are few and long a GPU
// idles, so there they are cut. A kernel of its own sums up pieces of rows, and the rows proper, of
// ones then, gather those sums. docs/kernels.md, "Sliced rows".
#pragma once

#include <memory>

#include "solvers/matrix/device_rows.hpp"

namespace solenoid {

template <class Real, class Entry = float>
class SplitRows : public DeviceRows<Entry> {
  public:
    SplitRows() = default;
    // columns: of the vectors.
    SplitRows(Device& device, const HostMatrix& matrix, bool may_cut = true, int columns = 1);

    // What the rows gather from in place of x: x itself, or the sums of pieces.
    Gathered<Real> gathered(Device& device, const Gathered<Real>& x) const;
    bool is_cut() const { return pieces_ != nullptr; }

  private:
    struct Pieces {
        DeviceRows<> rows;
        Buffer<Real> sums;
    };
    std::unique_ptr<Pieces> pieces_;
};

}  // namespace solenoid
