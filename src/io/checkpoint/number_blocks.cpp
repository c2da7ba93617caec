#include "io/checkpoint/number_blocks.hpp"

#include <algorithm>
#include <stdexcept>

namespace solenoid {

NumberBlocks::NumberBlocks(const Communicator& comm, GlobalIndex count,
                           std::span<const GlobalIndex> entity)
    : comm_(comm),
      ranges_(RowPartition::even(count, comm.size())),
      size_(static_cast<std::size_t>(ranges_.size(comm.rank()))) {
    comm.agree([&] {
        for (const GlobalIndex number : entity)
            if (number < 0 || number >= count)
                throw std::logic_error("an entry's number is outside of the whole mesh");
        if (size_ >= none)
            throw std::length_error("a rank's block has 2^32 entries: more ranks are needed");
    });
    std::map<int, std::vector<Index>> positions;
    for (std::size_t i = 0; i < entity.size(); ++i) {
        const int rank = ranges_.owner(entity[i]);
        sent_[rank].push_back(static_cast<Index>(i));
        positions[rank].push_back(static_cast<Index>(entity[i] - ranges_.first(rank)));
    }
    positions_ = exchange_values(comm, std::move(positions));
}

std::size_t NumberBlocks::entries() const {
    std::size_t count = 0;
    for (const auto& [rank, positions] : positions_) count += positions.size();
    return count;
}

std::vector<GlobalIndex> NumberBlocks::present() const {
    std::vector<GlobalIndex> numbers;
    if (size_ / 64 > entries()) {  // a few of many
        for (const auto& [rank, positions] : positions_)
            for (const Index i : positions) numbers.push_back(first() + i);
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        return numbers;
    }
    std::vector<bool> is_present(size_, false);
    for (const auto& [rank, positions] : positions_)
        for (const Index i : positions) is_present[i] = true;
    for (std::size_t i = 0; i < size_; ++i)
        if (is_present[i]) numbers.push_back(first() + static_cast<GlobalIndex>(i));
    return numbers;
}

bool NumberBlocks::reduce_to(std::span<const GlobalIndex> numbers) {
    std::map<int, std::vector<Index>> reduced;
    for (const auto& [rank, positions] : positions_)
        for (const Index i : positions) {
            const GlobalIndex number = first() + i;
            const auto found = std::lower_bound(numbers.begin(), numbers.end(), number);
            if (found == numbers.end() || *found != number) return false;
            reduced[rank].push_back(static_cast<Index>(found - numbers.begin()));
        }
    positions_ = std::move(reduced);
    size_ = numbers.size();
    return true;
}

}  // namespace solenoid
