// A matrix in sliced rows on a device, its entries in single precision or less, without a halo of its own: part of a preconditioner.
#pragma once

#include "device/padded_layout.hpp"
#include "solvers/host_matrix.hpp"

namespace solenoid {

template <class Entry = float>
struct DeviceRows {
    Buffer<std::uint32_t> rows, column;
    Buffer<Entry> entry;

    DeviceRows() = default;
    DeviceRows(Device& device, const HostMatrix& matrix) {
        const PaddedLayout layout(matrix.rows, device.row_stride());
        rows = layout.table(device);
        column = layout.columns(device, matrix.rows.index);
        entry = layout.upload<Entry>(device, std::span<const double>(matrix.entries));
    }
};

}  // namespace solenoid
