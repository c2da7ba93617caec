#include "device/padded_layout.hpp"

#include <algorithm>
#include <array>

#include "device/near_columns.hpp"

namespace solenoid {
namespace {

constexpr Index eight = cpu_row_stride;
constexpr Index reach = 1 << 16;  // of a 16-bit distance

// Eight rows, fewer at the end.
struct EightRows {
    const Rows& rows;
    Index begin, end;

    Index length() const {
        Index longest = 0;
        for (Index i = begin; i < end; ++i) longest = std::max(longest, rows.length(i));
        return longest;
    }
    // Whether the columns of the j-th entries are within reach of one another, for each j.
    bool are_near(Index length) const {
        for (Index j = 0; j < length; ++j) {
            Index least = none, greatest = 0;
            for (Index i = begin; i < end; ++i) {
                if (j >= rows.length(i)) continue;
                const Index column = rows.index[rows.start[i] + j];
                least = std::min(least, column);
                greatest = std::max(greatest, column);
            }
            if (greatest - least >= reach) return false;
        }
        return true;
    }
};

struct Entry {
    Index column, row, number;
};

// Columns in order; each eight takes the first that is left and of every row the next one within reach of it. Sets the
// places of the entries, those of the first eight from 0 on; returns the number of eights.
Index gather_near(const EightRows& slice, std::vector<Index>& place) {
    std::vector<Entry> left;
    for (Index i = slice.begin; i < slice.end; ++i)
        for (Index k = slice.rows.start[i]; k < slice.rows.start[i + 1]; ++k) left.push_back({slice.rows.index[k], i - slice.begin, k});
    std::stable_sort(left.begin(), left.end(), [](const Entry& a, const Entry& b) { return a.column < b.column; });
    Index count = 0;
    for (; !left.empty(); ++count) {
        const Index first = left.front().column;
        std::array<bool, eight> is_taken{};
        std::erase_if(left, [&](const Entry& entry) {
            if (entry.column - first >= reach || is_taken[entry.row]) return false;
            is_taken[entry.row] = true;
            place[entry.number] = count * eight + entry.row;
            return true;
        });
    }
    return count;
}

}  // namespace

PaddedLayout::PaddedLayout(const Rows& rows, Index stride) : in_eights_(stride == eight), place_(rows.index.size()) {
    if (in_eights_) {
        place_in_eights(rows);
        return;
    }
    const RowLayout layout(rows, stride);
    table_ = layout.table();
    entries_ = layout.entries();
    for (Index i = 0; i < rows.rows(); ++i)
        for (Index j = 0; j < rows.length(i); ++j) place_[rows.start[i] + j] = static_cast<Index>(layout.position(i, j));
}

void PaddedLayout::place_in_eights(const Rows& rows) {
    std::vector<std::uint32_t> lengths;
    const Index n = static_cast<Index>(rows.rows());
    for (Index begin = 0; begin < n; begin += eight) {
        const EightRows slice{rows, begin, std::min(n, begin + eight)};
        Index length = slice.length();
        if (slice.are_near(length)) {
            for (Index i = begin; i < slice.end; ++i)
                for (Index j = 0; j < rows.length(i); ++j) place_[rows.start[i] + j] = j * eight + (i - begin);
        } else {
            length = gather_near(slice, place_);
        }
        for (Index k = rows.start[begin]; k < rows.start[slice.end]; ++k) place_[k] += static_cast<Index>(entries_);
        table_.push_back(static_cast<std::uint32_t>(entries_ / eight));
        lengths.push_back(length);
        entries_ += std::size_t(length) * eight;
        check_row_entries(entries_);
    }
    table_.insert(table_.end(), lengths.begin(), lengths.end());
}

SlicedRows PaddedLayout::rows(Device& device, std::span<const Index> index) const {
    SlicedRows rows;
    rows.rows = device.buffer<std::uint32_t>(std::span<const std::uint32_t>(table_), 2);
    rows.index = columns(device, index);
    return rows;
}

Buffer<std::uint32_t> PaddedLayout::columns(Device& device, std::span<const Index> index) const {
    if (!in_eights_) return upload<std::uint32_t>(device, index);
    std::vector<Index> first(entries_ / eight, none);
    for (std::size_t k = 0; k < index.size(); ++k) {
        Index& of_eight = first[place_[k] / eight];
        of_eight = std::min(of_eight, index[k]);
    }
    std::vector<NearColumns> near(first.size());
    for (std::size_t n = 0; n < near.size(); ++n) near[n] = {first[n], {}};  // padding reads the first
    for (std::size_t k = 0; k < index.size(); ++k) {
        NearColumns& columns = near[place_[k] / eight];
        columns.distance[place_[k] % eight] = static_cast<std::uint16_t>(index[k] - columns.first);
    }
    return device.buffer<std::uint32_t>(std::span(reinterpret_cast<const std::uint32_t*>(near.data()), near.size() * near_words));
}

}  // namespace solenoid
