// Allocation in memory shared by the ranks of a host. It consists of segments in which each rank
// has one part. Used in src/parallel only.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace solenoid {

// A range of one rank's part of a segment.
struct SharedSlot {
    std::int64_t segment = -1, offset = 0, bytes = 0;  // [bytes]; segment -1: none
};

class SharedAllocations {
  public:
    // line: alignment of ranges. least_part: the least size of a rank's part of a segment. Both in
    // bytes.
    SharedAllocations(std::int64_t line, std::int64_t least_part)
        : line_(line), least_part_(least_part) {}

    // Adds a segment with parts of this size, or none on all ranks (false).
    using Grow = std::function<bool(std::int64_t part)>;
    // A range in this rank's part. None on all ranks where one lacks memory and no segment can be
    // added. Collective over `local`.
    SharedSlot take(MPI_Comm local, std::size_t bytes, const Grow& grow);
    void give_back(const SharedSlot& place);

  private:
    SharedSlot found(std::int64_t bytes);

    std::int64_t line_, least_part_;
    std::vector<std::vector<SharedSlot>> free_;  // of each segment, by offset
};

// A range in this rank's part of a window (SharedWindow, PeerWindow), freed by the destructor. It
// can be moved but not copied: the first of two owners would free memory that the other uses.
template <class Window>
class SharedAllocation {
  public:
    SharedAllocation() = default;
    // A range of zeros; none on all ranks of the host where one lacks memory. Collective over them.
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
