#include "io/checkpoint/number_blocks.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/hash.hpp"

namespace solenoid {

// Terms that do not wait for one another.
std::uint64_t hash_of(std::span<const GlobalIndex> numbers) {
    std::uint64_t hash = numbers.size(), place = 0;
    for (const GlobalIndex number : numbers)
        hash += mixed(static_cast<std::uint64_t>(number) + 0x9e3779b97f4a7c15u * ++place);
    return hash;
}

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
    // a range's length is even up to one
    const auto owner = [&](GlobalIndex number) {
        int rank = static_cast<int>(number / std::max<GlobalIndex>(1, ranges_.size(0)));
        rank = std::min(rank, comm.size() - 1);
        while (number < ranges_.first(rank)) --rank;
        while (number >= ranges_.first(rank + 1)) ++rank;
        return rank;
    };
    std::vector<std::size_t> counts(comm.size(), 0);
    for (const GlobalIndex number : entity) ++counts[owner(number)];
    std::vector<std::vector<Index>*> sent(comm.size(), nullptr), placed(comm.size(), nullptr);
    std::map<int, std::vector<Index>> positions;
    for (int rank = 0; rank < comm.size(); ++rank) {
        if (counts[rank] == 0) continue;
        (sent[rank] = &sent_[rank])->reserve(counts[rank]);
        (placed[rank] = &positions[rank])->reserve(counts[rank]);
    }
    for (std::size_t i = 0; i < entity.size(); ++i) {
        const int rank = owner(entity[i]);
        sent[rank]->push_back(static_cast<Index>(i));
        placed[rank]->push_back(static_cast<Index>(entity[i] - ranges_.first(rank)));
    }
    auto own = positions.extract(comm.rank());
    positions_ = exchange_values(comm, std::move(positions));
    if (own) positions_.insert(std::move(own));
}

std::size_t NumberBlocks::entries() const {
    std::size_t count = 0;
    for (const auto& [rank, positions] : positions_) count += positions.size();
    return count;
}

bool NumberBlocks::is_covered() const {
    if (entries() < size_) return false;
    std::vector<char> is_present(size_, 0);
    for (const auto& [rank, positions] : positions_)
        for (const Index i : positions) is_present[i] = 1;
    return std::ranges::find(is_present, 0) == is_present.end();
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
