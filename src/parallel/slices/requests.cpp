#include "parallel/slices/requests.hpp"

namespace solenoid {

NumberSet::NumberSet(std::span<const GlobalIndex> numbers) {
    if (numbers.empty()) return;
    const auto [least, largest] = std::minmax_element(numbers.begin(), numbers.end());
    least_ = *least;
    const auto words = static_cast<std::size_t>(*largest - *least) / 64 + 1;
    if (words > numbers.size()) {
        sorted_.assign(numbers.begin(), numbers.end());
        keep_unique(sorted_);
        return;
    }
    bits_.assign(words, 0);
    for (const GlobalIndex number : numbers)
        bits_[(number - least_) / 64] |= std::uint64_t(1) << (number - least_) % 64;
    Index count = 0;
    before_.reserve(words);
    for (const std::uint64_t word : bits_) {
        before_.push_back(count);
        count += static_cast<Index>(std::popcount(word));
    }
    sorted_.reserve(count);
    for (std::size_t w = 0; w < words; ++w)
        for (std::uint64_t left = bits_[w]; left; left &= left - 1)
            sorted_.push_back(least_ + static_cast<GlobalIndex>(64 * w) + std::countr_zero(left));
}

Requests::Requests(const Communicator& comm, const RowPartition& ranges,
                   std::span<const GlobalIndex> numbers)
    : comm_(comm), numbers_(numbers) {
    std::map<int, std::vector<Index>> wanted;
    auto next = this->numbers().begin();
    const auto last = this->numbers().end();
    for (int rank = 0; rank < comm.size() && next != last; ++rank) {
        const auto end = std::lower_bound(next, last, ranges.first(rank + 1));
        if (next == end) continue;
        std::vector<Index>& positions = wanted[rank];
        positions.reserve(end - next);
        for (; next != end; ++next)
            positions.push_back(static_cast<Index>(*next - ranges.first(rank)));
    }
    asked_ = exchange_values(comm, std::move(wanted));
}

}  // namespace solenoid
