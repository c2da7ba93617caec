// Asking other ranks for values of entities that they have in their slices.
#pragma once

#include "mesh/mesh_slice.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {

// Sorted, each value once.
template <class T>
void keep_unique(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

class Requests {
  public:
    // numbers: of the whole mesh, ascending, each once, all within the ranges. Collective, as all that exchanges is.
    Requests(const Communicator& comm, const SliceRanges& ranges, std::vector<GlobalIndex> numbers);

    const std::vector<GlobalIndex>& numbers() const { return numbers_; }
    Index place(GlobalIndex number) const {  // in numbers()
        return static_cast<Index>(std::lower_bound(numbers_.begin(), numbers_.end(), number) - numbers_.begin());
    }
    // What each rank asks for, as places in this rank's range.
    const std::map<int, std::vector<Index>>& asked() const { return asked_; }

    // The values of numbers(); `held` are those of this rank's range.
    template <class T>
    std::vector<T> answers(const std::vector<T>& held) const {
        std::map<int, std::vector<T>> out;
        for (const auto& [rank, places] : asked_) {
            out[rank].reserve(places.size());
            for (const Index i : places) out[rank].push_back(held[i]);
        }
        std::vector<T> values;
        values.reserve(numbers_.size());
        for (const auto& [rank, part] : exchange_values(comm_, std::move(out))) values.insert(values.end(), part.begin(), part.end());
        return values;
    }

  private:
    const Communicator& comm_;
    std::vector<GlobalIndex> numbers_;
    std::map<int, std::vector<Index>> asked_;
};

}  // namespace solenoid
