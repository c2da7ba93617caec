// Rows whose padding may be read, zero_padded in kernels (docs/kernels.md, "Sliced rows"): where
// their entries lie.
#pragma once

#include "device/sell_rows.hpp"

namespace solenoid {

// On the CPU eight rows are read together, an entry of each at a time: their columns are kept as
// the first and 16-bit distances from it. Entries of a row change places with one another where
// that brings the columns of eight together, and where it does not the eight rows get longer.
class SellLayout {
  public:
    SellLayout(const Rows& rows, Index stride);

    // values: of each column one an entry, row by row; padding is zero.
    template <class T, class V>
    Buffer<T> upload(Device& device, std::span<const V> values, int columns = 1) const {
        UninitializedVector<T> placed(entries_ * columns);
        in_parts(0, placed.size(), [&](std::size_t begin, std::size_t end) {
            std::fill(placed.begin() + begin, placed.begin() + end, T{});
        });
        const std::size_t given = values.size() / columns;
        for_each(0, values.size(), [&](std::size_t k) {
            placed[k / given * entries_ + place_[k % given]] = static_cast<T>(values[k]);
        });
        return device.buffer<T>(std::span<const T>(placed), columns);
    }
    // What a kernel takes: start and count of each row, on the CPU first eight and length of each
    // eight rows, and the columns, given row by row.
    SellRows rows(Device& device, std::span<const Index> index) const;
    std::size_t entries() const { return entries_; }  // padding included

  private:
    void place_in_eights(const Rows& rows);
    Buffer<std::uint32_t> columns(Device& device, std::span<const Index> index) const;

    bool in_eights_;
    std::vector<std::uint32_t> table_;
    UninitializedVector<Index> place_;  // of each entry
    std::vector<Index> first_;          // on the CPU: least column of the entries of each eight
    std::size_t entries_ = 0;
};

}  // namespace solenoid
