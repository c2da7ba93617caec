// A small buffer that host and device see at the same time (persistently and coherently mapped).
#pragma once

#include <cstddef>

#include "device/gl/object.hpp"

namespace solenoid::gl {

class MappedBuffer {
  public:
    MappedBuffer() = default;
    explicit MappedBuffer(std::size_t bytes);
    MappedBuffer(MappedBuffer&& other) noexcept = default;
    MappedBuffer& operator=(MappedBuffer&& other) noexcept = default;

    GLuint id() const { return buffer_.id(); }
    std::byte* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    template <class T>
    T* as() const {
        return reinterpret_cast<T*>(data_);
    }

  private:
    BufferObject buffer_;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

// Makes what shaders wrote visible to the host once the fence has passed.
inline void fence_for_host(Fence& fence) {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
    fence.set();
}

}  // namespace solenoid::gl
