#include "device/sliced_rows.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace solenoid {

RowLayout::RowLayout(const Rows& rows, Index stride) : stride_(stride), start_(rows.rows()), count_(rows.rows()) {
    const std::size_t n = rows.rows();
    for (std::size_t first = 0; first < n; first += stride) {
        const std::size_t last = std::min(n, first + stride);
        Index width = 0;
        for (std::size_t i = first; i < last; ++i) {
            start_[i] = static_cast<Index>(entries_ + (i - first));
            count_[i] = rows.length(i);
            width = std::max(width, count_[i]);
        }
        entries_ += std::size_t(width) * stride;
    }
    if (entries_ > 0xFFFFFFFFu)
        throw ComputationError("the rows of a matrix hold more than 2^32 entries on one rank: use more ranks");
}

Buffer<std::uint32_t> RowLayout::table(Device& device) const {
    std::vector<std::uint32_t> values(start_);
    values.insert(values.end(), count_.begin(), count_.end());
    return device.buffer<std::uint32_t>(std::span<const std::uint32_t>(values), 2);
}

Buffer<std::uint32_t> RowLayout::padded_table(Device& device) const {
    if (stride_ != cpu_row_stride) return table(device);
    std::vector<std::uint32_t> values, widths;
    for (Index first = 0; first < rows(); first += stride_) {
        values.push_back(start_[first]);
        widths.push_back(*std::max_element(count_.begin() + first, count_.begin() + std::min(rows(), first + stride_)));
    }
    values.insert(values.end(), widths.begin(), widths.end());
    return device.buffer<std::uint32_t>(std::span<const std::uint32_t>(values), 2);
}

SlicedRows::SlicedRows(Device& device, const Rows& host) {
    const RowLayout layout(host, device.row_stride());
    rows = layout.table(device);
    index = layout.upload<std::uint32_t>(device, std::span<const Index>(host.index));
}

}  // namespace solenoid
