#include "device/sell_rows.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"

namespace solenoid {

void check_row_entries(std::size_t entries) {
    if (entries > 0xFFFFFFFFu)
        throw ComputationError(
            "the rows of a matrix hold more than 2^32 entries on one rank: use more ranks");
}

RowLayout::RowLayout(const Rows& rows, Index stride)
    : stride_(stride),
      start_(rows.rows()),
      count_(rows.rows()),
      first_(rows.start.begin(), rows.start.end() - 1) {
    const std::size_t n = rows.rows(), slices = (n + stride - 1) / stride;
    std::vector<std::size_t> first(slices + 1, 0);  // entry of each slice
    for_each(
        0, slices,
        [&](std::size_t slice) {
            for (std::size_t i = slice * stride; i < std::min(n, (slice + 1) * stride); ++i) {
                count_[i] = rows.length(i);
                first[slice + 1] = std::max(first[slice + 1], std::size_t(count_[i]) * stride);
            }
        },
        64);
    std::partial_sum(first.begin(), first.end(), first.begin());
    entries_ = first.back();
    check_row_entries(entries_);
    for_each(0, n, [&](std::size_t i) {
        start_[i] = static_cast<Index>(first[i / stride] + i % stride);
    });
}

std::vector<std::uint32_t> RowLayout::table() const {
    std::vector<std::uint32_t> values(start_);
    values.insert(values.end(), count_.begin(), count_.end());
    return values;
}

SellRows::SellRows(Device& device, const Rows& host) {
    const RowLayout layout(host, device.row_stride());
    rows = layout.table(device);
    index = layout.upload<std::uint32_t>(device, std::span<const Index>(host.index));
}

}  // namespace solenoid
