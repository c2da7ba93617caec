// Counts the memory that operator new gave out and has not got back. Link memory_meter.cpp.
#pragma once

#include <cstddef>

namespace solenoid::fuzz {

// The most that was in use at once since this was made, beyond what was in use then. One at a time.
class MemoryMeter {
  public:
    MemoryMeter();
    std::size_t most() const;  // [bytes]

  private:
    const std::size_t before_;
};

}  // namespace solenoid::fuzz
