// Rows of varying length on a device (docs/kernels.md, "Sliced rows"): entry j of row i lies at
// start_i + j * stride.
#pragma once

#include "core/threads.hpp"
#include "core/uninitialized_vector.hpp"
#include "device/device.hpp"

namespace solenoid {

// Throws where entries with their padding cannot be numbered.
void check_row_entries(std::size_t entries);

// Where the entries of rows lie for a device's row stride.
class RowLayout {
  public:
    RowLayout(const Rows& rows, Index stride);

    Index rows() const { return static_cast<Index>(count_.size()); }
    std::size_t entries() const { return entries_; }  // padding included
    std::size_t position(Index row, Index j) const {
        return start_[row] + std::size_t(j) * stride_;
    }
    Index count(Index row) const { return count_[row]; }

    // values: one an entry, row by row.
    template <class T, class V>
    Buffer<T> upload(Device& device, std::span<const V> values) const {
        UninitializedVector<T> placed(entries_);
        in_parts(0, entries_, [&](std::size_t begin, std::size_t end) {
            std::fill(placed.begin() + begin, placed.begin() + end, T{});
        });
        for_each(0, rows(), [&](Index i) {
            for (Index j = 0; j < count_[i]; ++j)
                placed[position(i, j)] = static_cast<T>(values[first_[i] + j]);
        });
        return device.buffer<T>(std::span<const T>(placed));
    }
    std::vector<std::uint32_t> table() const;  // the ROWS argument: starts, then counts
    Buffer<std::uint32_t> table(Device& device) const {
        return device.buffer<std::uint32_t>(std::span<const std::uint32_t>(table()), 2);
    }

  private:
    Index stride_;
    std::vector<Index> start_, count_, first_;  // first_: of the row's entries, unpadded
    std::size_t entries_ = 0;
};

struct SellRows {
    Buffer<std::uint32_t> rows;   // start, count
    Buffer<std::uint32_t> index;  // entries
    SellRows() = default;
    SellRows(Device& device, const Rows& host);
};

}  // namespace solenoid
