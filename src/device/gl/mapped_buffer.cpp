#include "device/gl/mapped_buffer.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"

namespace solenoid::gl {

MappedBuffer::MappedBuffer(std::size_t bytes)
    : bytes_((std::max<std::size_t>(bytes, 16) + 15) / 16 * 16) {
    constexpr GLbitfield access =
        GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    buffer_ = create_buffer();
    glNamedBufferStorage(buffer_.id(), static_cast<GLsizeiptr>(bytes_), nullptr,
                         access | GL_CLIENT_STORAGE_BIT);
    data_ = static_cast<std::byte*>(
        glMapNamedBufferRange(buffer_.id(), 0, static_cast<GLsizeiptr>(bytes_), access));
    if (!data_)
        throw ComputationError("the GPU driver cannot map " + std::to_string(bytes_) +
                               " bytes of memory");
    std::memset(data_, 0, bytes_);
}

}  // namespace solenoid::gl
