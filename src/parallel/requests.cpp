#include "parallel/requests.hpp"

namespace solenoid {

Requests::Requests(const Communicator& comm, const SliceRanges& ranges, std::vector<GlobalIndex> numbers) : comm_(comm), numbers_(std::move(numbers)) {
    std::map<int, std::vector<Index>> wanted;
    auto next = numbers_.begin();
    for (int rank = 0; rank < comm.size() && next != numbers_.end(); ++rank)
        for (; next != numbers_.end() && *next < ranges.first(rank + 1); ++next) wanted[rank].push_back(static_cast<Index>(*next - ranges.first(rank)));
    asked_ = exchange_values(comm, std::move(wanted));
}

}  // namespace solenoid
