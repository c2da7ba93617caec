#include "device/sliced_rows.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace solenoid {

void check_row_entries(std::size_t entries) {
    if (entries > 0xFFFFFFFFu)
        throw ComputationError("the rows of a matrix hold more than 2^32 entries on one rank: use more ranks");
}

RowLayout::RowLayout(const Rows& rows, Index stride) : stride_(stride), start_(rows.rows()), count_(rows.rows()), first_(rows.start.begin(), rows.start.end() - 1) {
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
    check_row_entries(entries_);
}

std::vector<std::uint32_t> RowLayout::table() const {
    std::vector<std::uint32_t> values(start_);
    values.insert(values.end(), count_.begin(), count_.end());
    return values;
}

SlicedRows::SlicedRows(Device& device, const Rows& host) {
    const RowLayout layout(host, device.row_stride());
    rows = layout.table(device);
    index = layout.upload<std::uint32_t>(device, std::span<const Index>(host.index));
}

}  // namespace solenoid
