// A matrix in sliced rows on a device, without a halo of its own.
#pragma once

#include "device/sliced_rows.hpp"
#include "solvers/host_matrix.hpp"

namespace solenoid {

template <class Real>
struct DeviceRows {
    Buffer<std::uint32_t> rows, column;
    Buffer<Real> entry;

    DeviceRows() = default;
    DeviceRows(Device& device, const HostMatrix& matrix) {
        const RowLayout layout(matrix.rows, device.row_stride());
        rows = layout.table(device);
        column = layout.upload<std::uint32_t>(device, std::span<const Index>(matrix.rows.index));
        entry = layout.upload<Real>(device, std::span<const double>(matrix.entries));
    }
};

}  // namespace solenoid
