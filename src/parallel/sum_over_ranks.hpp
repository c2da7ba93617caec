// Sums over entities of all ranks, on the host.
#pragma once

#include <algorithm>
#include <vector>

#include "core/threads.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

// The sum of value(i) over i < count on all ranks: of a reproducible run in no order, else in
// blocks and rank by rank. Collective.
template <class Value>
double sum_over_ranks(const Communicator& comm, std::size_t count, const Value& value) {
    if (!is_reproducible()) return comm.sum(sum_of_each(0, count, value));
    constexpr std::size_t block = 4096;
    std::vector<BinnedSum> sums((count + block - 1) / block);
    for_each(
        0, sums.size(),
        [&](std::size_t b) {
            std::vector<double> values;
            for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i)
                values.push_back(value(i));
            sums[b].add(values);
        },
        1);
    BinnedSum total;
    for (const BinnedSum& sum : sums) total.add(sum);
    comm.sum(std::span(&total, 1));
    return total.value();
}

// Of this rank's parts the sums over the ranks. Collective.
inline std::vector<double> totals(const Communicator& comm, std::vector<RankSum> parts) {
    comm.sum(std::span<RankSum>(parts));
    return {parts.begin(), parts.end()};
}

// What each rank has of sums over the ranks, for more arithmetic before the ranks add up: its own
// parts; in a reproducible run the first rank the whole and the others nothing. Collective there.
inline std::vector<double> shares(const Communicator& comm, std::vector<RankSum> parts) {
    if (is_reproducible()) {
        comm.sum(std::span<RankSum>(parts));
        if (!comm.is_root()) std::ranges::fill(parts, RankSum());
    }
    return {parts.begin(), parts.end()};
}

}  // namespace solenoid
