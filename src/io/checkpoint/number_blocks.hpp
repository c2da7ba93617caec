// Values of entities, between the ranks that have them and blocks of global numbers.
#pragma once

#include <span>

#include "core/row_partition.hpp"
#include "core/threads.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {

// Of numbers in their order.
std::uint64_t hash_of(std::span<const GlobalIndex> numbers);

// The numbers [0, count) in equal blocks, one for each rank. A rank's entries, in any order, each
// have their place in a block.
class NumberBlocks {
  public:
    // entity: numbers of this rank's entries. Throws std::logic_error where one is not in
    // [0, count). Collective.
    NumberBlocks(const Communicator& comm, GlobalIndex count, std::span<const GlobalIndex> entity);

    GlobalIndex first() const { return ranges_.first(comm_.rank()); }     // of this rank's block
    GlobalIndex size() const { return static_cast<GlobalIndex>(size_); }  // of this rank's block

    // Whether some rank has an entry for each number of this rank's block.
    bool is_covered() const;
    // The numbers of this rank's block that some rank has an entry for, ascending, each once.
    std::vector<GlobalIndex> present() const;
    std::size_t entries() const;  // of all ranks in this rank's block
    // Reduces this rank's block to some of its numbers, ascending. Returns false, and changes
    // nothing, where an entry has none of them.
    bool reduce_to(std::span<const GlobalIndex> numbers);

    // The values of this rank's block, from those of all ranks' entries; both column by column, as
    // many. Collective.
    template <class T>
    void to_blocks(int columns, std::span<const T> values, std::span<T> block) const {
        move_values<T>(columns, sent_, values, positions_, block);
    }
    // The values of this rank's entries, from those of all ranks' blocks. Collective.
    template <class T>
    void from_blocks(int columns, std::span<const T> block, std::span<T> values) const {
        move_values<T>(columns, positions_, block, sent_, values);
    }

  private:
    using ByRank = std::map<int, std::vector<Index>>;

    // Sends from[i] for all i in taken, which become to[i] for the i in set on the other side. What
    // stays on this rank goes straight there.
    template <class T>
    void move_values(int columns, const ByRank& taken, std::span<const T> from, const ByRank& set,
                     std::span<T> to) const {
        const std::size_t of_from = from.size() / columns, of_to = to.size() / columns;
        std::map<int, std::vector<std::byte>> out;
        for (const auto& [rank, of_rank] : taken) {
            if (rank == comm_.rank()) continue;
            const std::vector<Index>& indices = of_rank;
            std::vector<std::byte>& bytes = out[rank];
            bytes.resize(columns * indices.size() * sizeof(T));
            T* some = reinterpret_cast<T*>(bytes.data());
            for (int k = 0; k < columns; ++k)
                for_each(0, indices.size(), [&](std::size_t i) {
                    some[k * indices.size() + i] = from[k * of_from + indices[i]];
                });
        }
        const auto in = comm_.exchange(out);
        out.clear();
        for (const auto& [rank, of_rank] : set) {
            const std::vector<Index>& indices = of_rank;
            const bool is_here = rank == comm_.rank();
            const T* some = is_here ? nullptr : reinterpret_cast<const T*>(in.at(rank).data());
            const std::vector<Index>* here = is_here ? &taken.at(rank) : nullptr;
            for (int k = 0; k < columns; ++k)
                for_each(0, indices.size(), [&](std::size_t i) {
                    to[k * of_to + indices[i]] =
                        is_here ? from[k * of_from + (*here)[i]] : some[k * indices.size() + i];
                });
        }
    }

    const Communicator& comm_;
    RowPartition ranges_;
    std::size_t size_;  // values in this rank's block
    ByRank sent_;       // this rank's entries, by the rank of their block
    ByRank positions_;  // in this rank's block, of other ranks' entries
};

}  // namespace solenoid
