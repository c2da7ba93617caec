// Whether a device takes a buffer of some size at all, however much memory is free.
#pragma once

#include "device/device.hpp"

namespace solenoid {

// A device that bounds its buffers: those of OpenGL.
class BufferLimit {
  public:
    virtual ~BufferLimit() = default;
    virtual bool holds(ElementType type, Index size, int columns) const = 0;
};

// True of other devices.
inline bool holds(const Device& device, ElementType type, Index size, int columns) {
    const auto* const limit = dynamic_cast<const BufferLimit*>(&device);
    return !limit || limit->holds(type, size, columns);
}

}  // namespace solenoid
