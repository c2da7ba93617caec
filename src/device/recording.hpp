// Calls that are made again and again with the same buffers and numbers, and what a device keeps of
// them.
#pragma once

#include <functional>
#include <memory>

namespace solenoid {

class Recording {
  public:
    virtual ~Recording() = default;
};

// Launches, copies and scatters of one device, without reductions, messages, transfers or
// allocations among them.
using RecordedCalls = std::function<void()>;

}  // namespace solenoid
