// Room in memory that the ranks of a host share, segment after segment: each rank has one part in each. For the sources of this room only.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace solenoid {

// Room in one rank's part of a segment.
struct SharedPlace {
    std::int64_t segment = -1, offset = 0, bytes = 0;  // segment -1: none
};

class SharedRooms {
  public:
    // line: what rooms begin and end at. least_part: of a segment, each rank's; bytes both.
    SharedRooms(std::int64_t line, std::int64_t least_part) : line_(line), least_part_(least_part) {}

    // Makes one more segment with parts of that many bytes, or none on all ranks.
    using Grow = std::function<bool(std::int64_t part)>;
    // Room in this rank's part; none on all ranks where one of them has none and no segment can be had. Collective over `local`.
    SharedPlace take(MPI_Comm local, std::size_t bytes, const Grow& grow);
    void give_back(const SharedPlace& place);

  private:
    SharedPlace found(std::int64_t bytes);

    std::int64_t line_, least_part_;
    std::vector<std::vector<SharedPlace>> free_;  // of each segment, by offset
};

}  // namespace solenoid
