// A matrix in sliced rows on a device, its entries in single precision or less, without a halo of
// its own: part of a preconditioner.
#pragma once

#include "device/sell_layout.hpp"
#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {

template <class Entry = float>
struct DeviceRows : SellRows {
    Buffer<Entry> entry;

    DeviceRows() = default;
    DeviceRows(Device& device, const HostMatrix& matrix) {
        const SellLayout layout(matrix.rows, device.row_stride());
        static_cast<SellRows&>(*this) = layout.rows(device, matrix.rows.index);
        entry = layout.upload<Entry>(device, std::span<const double>(matrix.entries));
    }
};

}  // namespace solenoid
