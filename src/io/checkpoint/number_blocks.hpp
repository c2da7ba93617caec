// Values of entities, between the ranks that have them and blocks of global numbers.
#pragma once

#include <span>

#include "core/row_partition.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {

// The numbers [0, count) in equal blocks, one for each rank. A rank's entries, in any order, each
// have their place in a block.
class NumberBlocks {
  public:
    // entity: numbers of this rank's entries. Throws std::logic_error where one is not in
    // [0, count). Collective.
    NumberBlocks(const Communicator& comm, GlobalIndex count, std::span<const GlobalIndex> entity);

    GlobalIndex first() const { return ranges_.first(comm_.rank()); }     // of this rank's block
    GlobalIndex size() const { return static_cast<GlobalIndex>(size_); }  // of this rank's block

    // The numbers of this rank's block that some rank has an entry for, ascending, each once.
    std::vector<GlobalIndex> present() const;
    std::size_t entries() const;  // of all ranks in this rank's block
    // Reduces this rank's block to some of its numbers, ascending. Returns false, and changes
    // nothing, where an entry has none of them.
    bool reduce_to(std::span<const GlobalIndex> numbers);

    // The values of this rank's block, from those of all ranks' entries. Collective.
    template <class T>
    std::vector<T> to_blocks(std::span<const T> values) const {
        std::map<int, std::vector<T>> out;
        for (const auto& [rank, entries] : sent_) {
            std::vector<T>& some = out[rank];
            some.reserve(entries.size());
            for (const Index i : entries) some.push_back(values[i]);
        }
        std::vector<T> block(size_);
        for (const auto& [rank, some] : exchange_values(comm_, std::move(out))) {
            const std::vector<Index>& positions = positions_.at(rank);
            for (std::size_t i = 0; i < some.size(); ++i) block[positions[i]] = some[i];
        }
        return block;
    }
    // The values of this rank's entries, from those of all ranks' blocks. Collective.
    template <class T>
    void from_blocks(std::span<const T> block, std::span<T> values) const {
        std::map<int, std::vector<T>> out;
        for (const auto& [rank, positions] : positions_) {
            std::vector<T>& some = out[rank];
            some.reserve(positions.size());
            for (const Index i : positions) some.push_back(block[i]);
        }
        for (const auto& [rank, some] : exchange_values(comm_, std::move(out))) {
            const std::vector<Index>& entries = sent_.at(rank);
            for (std::size_t i = 0; i < some.size(); ++i) values[entries[i]] = some[i];
        }
    }

  private:
    const Communicator& comm_;
    RowPartition ranges_;
    std::size_t size_;                        // values in this rank's block
    std::map<int, std::vector<Index>> sent_;  // this rank's entries, by the rank of their block
    std::map<int, std::vector<Index>> positions_;  // in this rank's block, of other ranks' entries
};

}  // namespace solenoid
