#include "device/sell_layout.hpp"

#include <algorithm>
#include <array>

#include "core/pieces.hpp"
#include "core/reproducible.hpp"
#include "device/near_columns.hpp"

namespace solenoid {
namespace {

constexpr Index eight = cpu_row_stride;
constexpr Index reach = 1 << 16;  // of a 16-bit distance

// Eight rows, fewer at the end.
struct EightRows {
    const Rows& rows;
    Index begin, end;
};

// Of the j-th entries of eight rows, for each j.
struct Columns {
    std::vector<Index> least, greatest;

    void gather(const EightRows& slice) {
        least.clear();
        greatest.clear();
        for (Index i = slice.begin; i < slice.end; ++i) {
            const Index length = slice.rows.length(i);
            if (length > least.size()) {
                least.resize(length, none);
                greatest.resize(length, 0);
            }
            const Index* column = slice.rows.begin(i);
            for (Index j = 0; j < length; ++j) least[j] = std::min(least[j], column[j]);
            for (Index j = 0; j < length; ++j) greatest[j] = std::max(greatest[j], column[j]);
        }
    }
    bool are_near() const {
        for (std::size_t j = 0; j < least.size(); ++j)
            if (greatest[j] - least[j] >= reach) return false;
        return true;
    }
};

struct Entry {
    Index column, row, number;
};

// The same with the entries of each row in their order, as a reproducible run wants it: each eight
// takes the least column that comes next in a row, and of every row the next one if it is within
// reach.
void gather_in_order(const EightRows& slice, Index start, UninitializedVector<Index>& place,
                     std::vector<Index>& first) {
    std::array<Index, eight> next{};  // of each row
    const auto end = [&](Index i) { return slice.rows.start[i + 1]; };
    for (Index i = slice.begin; i < slice.end; ++i) next[i - slice.begin] = slice.rows.start[i];
    for (;; start += eight) {
        Index least = none;
        for (Index i = slice.begin; i < slice.end; ++i)
            if (const Index k = next[i - slice.begin]; k < end(i))
                least = std::min(least, slice.rows.index[k]);
        if (least == none) return;
        first.push_back(least);
        for (Index i = slice.begin; i < slice.end; ++i) {
            Index& k = next[i - slice.begin];
            if (k == end(i) || slice.rows.index[k] - least >= reach) continue;
            place[k++] = start + (i - slice.begin);
        }
    }
}

// Columns in order; each eight takes the first that is left and of every row the next one within
// reach of it. Sets the places of the entries, those of the first eight from `start` on, and what
// the eights begin with.
void gather_near(const EightRows& slice, Index start, UninitializedVector<Index>& place,
                 std::vector<Index>& first) {
    std::vector<Entry> left;
    for (Index i = slice.begin; i < slice.end; ++i)
        for (Index k = slice.rows.start[i]; k < slice.rows.start[i + 1]; ++k)
            left.push_back({slice.rows.index[k], i - slice.begin, k});
    std::stable_sort(left.begin(), left.end(),
                     [](const Entry& a, const Entry& b) { return a.column < b.column; });
    for (; !left.empty(); start += eight) {
        first.push_back(left.front().column);
        std::array<bool, eight> is_taken{};
        std::erase_if(left, [&](const Entry& entry) {
            if (entry.column - first.back() >= reach || is_taken[entry.row]) return false;
            is_taken[entry.row] = true;
            place[entry.number] = start + entry.row;
            return true;
        });
    }
}

}  // namespace

SellLayout::SellLayout(const Rows& rows, Index stride)
    : in_eights_(stride == eight), place_(rows.index.size()) {
    if (in_eights_) {
        place_in_eights(rows);
        return;
    }
    const RowLayout layout(rows, stride);
    table_ = layout.table();
    entries_ = layout.entries();
    for_each(0, rows.rows(), [&](Index i) {
        for (Index j = 0; j < rows.length(i); ++j)
            place_[rows.start[i] + j] = static_cast<Index>(layout.position(i, j));
    });
}

// Pieces of many eights are placed from zero on and then moved behind one another.
void SellLayout::place_in_eights(const Rows& rows) {
    struct Piece {
        Index begin = 0, end = 0;
        std::vector<std::uint32_t> lengths;  // eights of each eight rows
        std::vector<Index> first;
    };
    const Index n = static_cast<Index>(rows.rows());
    std::vector<Piece> pieces = pieces_of(n, [&](Index from, Index to) {
        Piece piece{from, to, {}, {}};
        Columns columns;
        for (Index begin = from; begin < to; begin += eight) {
            const EightRows slice{rows, begin, std::min(to, begin + eight)};
            const Index start = static_cast<Index>(piece.first.size() * eight);
            const std::size_t before = piece.first.size();
            columns.gather(slice);
            if (columns.are_near()) {
                piece.first.insert(piece.first.end(), columns.least.begin(), columns.least.end());
                for (Index i = begin; i < slice.end; ++i)
                    for (Index k = rows.start[i], at = start + (i - begin); k < rows.start[i + 1];
                         ++k, at += eight)
                        place_[k] = at;
            } else if (is_reproducible()) {
                gather_in_order(slice, start, place_, piece.first);
            } else {
                gather_near(slice, start, place_, piece.first);
            }
            piece.lengths.push_back(static_cast<std::uint32_t>(piece.first.size() - before));
        }
        return piece;
    });
    std::vector<std::uint32_t> lengths;
    std::vector<std::vector<Index>> firsts;
    for (Piece& piece : pieces) {
        const Index before = static_cast<Index>(entries_);
        entries_ += piece.first.size() * eight;
        check_row_entries(entries_);
        if (before)
            for_each(rows.start[piece.begin], rows.start[piece.end],
                     [&](std::size_t k) { place_[k] += before; });
        lengths.insert(lengths.end(), piece.lengths.begin(), piece.lengths.end());
        firsts.push_back(std::move(piece.first));
    }
    first_ = joined(std::move(firsts));
    std::uint32_t before = 0;
    for (const std::uint32_t length : lengths) {
        table_.push_back(before);
        before += length;
    }
    table_.insert(table_.end(), lengths.begin(), lengths.end());
}

SellRows SellLayout::rows(Device& device, std::span<const Index> index) const {
    SellRows rows;
    rows.rows = device.buffer<std::uint32_t>(std::span<const std::uint32_t>(table_), 2);
    rows.index = columns(device, index);
    return rows;
}

Buffer<std::uint32_t> SellLayout::columns(Device& device, std::span<const Index> index) const {
    if (!in_eights_) return upload<std::uint32_t>(device, index);
    UninitializedVector<NearColumns> near(first_.size());
    // padding reads the first
    for_each(0, near.size(),
             [&](std::size_t n) { near[n] = {.first = first_[n], .distance = {}}; });
    for_each(0, index.size(), [&](std::size_t k) {
        NearColumns& columns = near[place_[k] / eight];
        columns.distance[place_[k] % eight] = static_cast<std::uint16_t>(index[k] - columns.first);
    });
    return device.buffer<std::uint32_t>(
        std::span(reinterpret_cast<const std::uint32_t*>(near.data()), near.size() * near_words));
}

}  // namespace solenoid
