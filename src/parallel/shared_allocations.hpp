// Room in memory that the ranks of a host share, segment after segment: each rank has one part in
// each. For the sources of this room only.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace solenoid {

// Room in one rank's part of a segment.
struct SharedSlot {
    std::int64_t segment = -1, offset = 0, bytes = 0;  // segment -1: none
};

class SharedAllocations {
  public:
    // line: what rooms begin and end at. least_part: of a segment, each rank's; bytes both.
    SharedAllocations(std::int64_t line, std::int64_t least_part)
        : line_(line), least_part_(least_part) {}

    // Makes one more segment with parts of that many bytes, or none on all ranks.
    using Grow = std::function<bool(std::int64_t part)>;
    // Room in this rank's part; none on all ranks where one of them has none and no segment can be
    // had. Collective over `local`.
    SharedSlot take(MPI_Comm local, std::size_t bytes, const Grow& grow);
    void give_back(const SharedSlot& place);

  private:
    SharedSlot found(std::int64_t bytes);

    std::int64_t line_, least_part_;
    std::vector<std::vector<SharedSlot>> free_;  // of each segment, by offset
};

// Room in this rank's part of a window (SharedWindow, PeerWindow), given back when it goes. It can
// be moved and not copied: of two owners the first to go would give away what the other still uses.
template <class Window>
class SharedAllocation {
  public:
    SharedAllocation() = default;
    // Cleared room; none on all ranks of the host where one has no memory for it. Collective over
    // them.
    SharedAllocation(std::shared_ptr<Window> window, std::size_t bytes)
        : window_(std::move(window)), place_(window_->take(bytes)) {}
    SharedAllocation(SharedAllocation&& other) noexcept
        : window_(std::move(other.window_)), place_(std::exchange(other.place_, {})) {}
    SharedAllocation& operator=(SharedAllocation&& other) noexcept {
        std::swap(window_, other.window_);
        std::swap(place_, other.place_);
        return *this;
    }
    ~SharedAllocation() {
        if (window_) window_->give_back(place_);
    }

    explicit operator bool() const { return place_.segment >= 0; }
    const SharedSlot& place() const { return place_; }
    Window& window() const { return *window_; }

  private:
    std::shared_ptr<Window> window_;
    SharedSlot place_;
};

}  // namespace solenoid
