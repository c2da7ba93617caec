// A matrix in sliced rows on a device, its entries in single precision or less, without a halo of its own: part of a preconditioner.
#pragma once

#include "device/sliced_rows.hpp"
#include "solvers/host_matrix.hpp"

namespace solenoid {

template <class Entry = float>
struct DeviceRows {
    Buffer<std::uint32_t> rows, column;
    Buffer<Entry> entry;

    DeviceRows() = default;
    DeviceRows(Device& device, const HostMatrix& matrix) {
        const RowLayout layout(matrix.rows, device.row_stride());
        rows = layout.padded_table(device);
        column = layout.upload<std::uint32_t>(device, std::span<const Index>(matrix.rows.index));
        entry = layout.upload<Entry>(device, std::span<const double>(matrix.entries));
    }
};

}  // namespace solenoid
