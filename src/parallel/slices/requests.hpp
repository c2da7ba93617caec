// Requests for values of entities that other ranks have in their slices.
#pragma once

#include <bit>
#include <span>

#include "mesh/mesh_slice.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {

// Sorts values and removes repeated ones.
template <class T>
void keep_unique(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

// A sorted set of numbers and the place of each in it. It uses one bit for each number between the
// least and the largest, or a binary search where they are far apart.
class NumberSet {
  public:
    // numbers: not negative, in any order, perhaps repeated.
    explicit NumberSet(std::span<const GlobalIndex> numbers);

    const std::vector<GlobalIndex>& sorted() const { return sorted_; }
    Index place(GlobalIndex number) const {
        if (bits_.empty())
            return static_cast<Index>(std::lower_bound(sorted_.begin(), sorted_.end(), number) -
                                      sorted_.begin());
        const auto i = static_cast<std::uint64_t>(number - least_);
        return before_[i / 64] + static_cast<Index>(std::popcount(
                                     bits_[i / 64] & ((std::uint64_t(1) << i % 64) - 1)));
    }

  private:
    GlobalIndex least_ = 0;
    std::vector<std::uint64_t> bits_;
    std::vector<Index> before_;  // count of numbers below each group of 64
    std::vector<GlobalIndex> sorted_;
};

class Requests {
  public:
    // numbers: of the whole mesh, all within the ranges, in any order. Collective.
    Requests(const Communicator& comm, const RowPartition& ranges,
             std::span<const GlobalIndex> numbers);

    const std::vector<GlobalIndex>& numbers() const { return numbers_.sorted(); }
    Index place(GlobalIndex number) const { return numbers_.place(number); }  // in numbers()
    // For each rank the numbers that it requests, as places in this rank's range.
    const std::map<int, std::vector<Index>>& asked() const { return asked_; }

    // The values of numbers(). held: the values of this rank's range. Collective.
    template <class T>
    std::vector<T> answers(const std::vector<T>& held) const {
        std::map<int, std::vector<T>> out;
        for (const auto& [rank, positions] : asked_) {
            std::vector<T>& values = out[rank];
            values.reserve(positions.size());
            for (const Index i : positions) values.push_back(held[i]);
        }
        std::vector<T> values;
        values.reserve(numbers().size());
        for (const auto& [rank, part] : exchange_values(comm_, std::move(out)))
            values.insert(values.end(), part.begin(), part.end());
        return values;
    }

  private:
    const Communicator& comm_;
    NumberSet numbers_;
    std::map<int, std::vector<Index>> asked_;
};

}  // namespace solenoid
