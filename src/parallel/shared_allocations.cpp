#include "parallel/shared_allocations.hpp"

#include <algorithm>

namespace solenoid {

// The first free range that is large enough.
SharedSlot SharedAllocations::found(std::int64_t bytes) {
    for (std::size_t s = 0; s < free_.size(); ++s)
        for (SharedSlot& room : free_[s]) {
            if (room.bytes < bytes) continue;
            const SharedSlot place{static_cast<std::int64_t>(s), room.offset, bytes};
            room.offset += bytes;
            room.bytes -= bytes;
            if (room.bytes == 0)
                std::erase_if(free_[s], [](const SharedSlot& r) { return r.bytes == 0; });
            return place;
        }
    return {};
}

SharedSlot SharedAllocations::take(MPI_Comm local, std::size_t bytes, const Grow& grow) {
    const std::int64_t wanted =
        (std::max<std::int64_t>(line_, static_cast<std::int64_t>(bytes)) + line_ - 1) / line_ *
        line_;
    SharedSlot place = found(wanted);
    std::int64_t missing = place.segment < 0 ? wanted : 0;
    MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT64_T, MPI_MAX, local);
    if (missing == 0) return place;
    const std::int64_t part = std::max(least_part_, 2 * missing);
    if (!grow(part)) {
        give_back(place);
        return {};
    }
    const auto number = static_cast<std::int64_t>(free_.size());
    free_.push_back({{number, 0, part}});
    return place.segment < 0 ? found(wanted) : place;
}

void SharedAllocations::give_back(const SharedSlot& place) {
    if (place.segment < 0) return;
    std::vector<SharedSlot>& free = free_[place.segment];
    free.push_back(place);
    std::ranges::sort(free, {}, &SharedSlot::offset);
    std::vector<SharedSlot> joined;
    for (const SharedSlot& room : free) {
        if (!joined.empty() && joined.back().offset + joined.back().bytes == room.offset)
            joined.back().bytes += room.bytes;
        else
            joined.push_back(room);
    }
    free = std::move(joined);
}

}  // namespace solenoid
