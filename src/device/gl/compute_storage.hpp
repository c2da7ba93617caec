// The compute device's memory: storage buffers, and the kernels that move their elements.
#pragma once

#include <map>
#include <memory>

#include "device/device.hpp"
#include "device/gl/context.hpp"
#include "device/gl/mapped_buffer.hpp"
#include "device/gl/program.hpp"

namespace solenoid::gl {

// One run of a moving kernel; lengths in elements of 4 or 8 bytes.
struct Move {
    GLuint from = 0, to = 0, where = 0;
    Index count = 0;
    Index columns = 1;
    Index from_first = 0, to_first = 0;
    Index from_pitch = 0, to_pitch = 0;
};

// A grid of work groups of group_size, one invocation an item.
void dispatch_over(Index items);

// What the device and its storages share; lives as long as the last of them.
class ComputeMemory {
  public:
    explicit ComputeMemory(std::shared_ptr<Context> context) : context_(std::move(context)) {}
    ~ComputeMemory() { make_current(); }
    ComputeMemory(const ComputeMemory&) = delete;
    ComputeMemory& operator=(const ComputeMemory&) = delete;

    void make_current() const { context_->make_current(); }
    const DeviceDescription& description() const { return context_->description(); }

    enum class Kind { fill, copy, gather, scatter };
    void move(Kind kind, ElementType type, const Move& move);

    // Zero-filled; throws ComputationError where a limit or the memory is exceeded.
    BufferObject allocate(std::size_t& bytes);
    // Host copies through a mapped chunk: the driver would move the whole buffer to host memory.
    void upload(const std::byte* values, GLuint buffer, std::size_t offset, std::size_t bytes);
    void download(GLuint buffer, std::size_t offset, std::byte* values, std::size_t bytes);

    std::size_t allocated_bytes = 0;

  private:
    struct MoveProgram {
        Program program;
        GLint count, columns, first, pitch;
    };
    const MoveProgram& program(Kind kind, bool is_wide);
    const MappedBuffer& chunk();

    std::shared_ptr<Context> context_;
    std::map<std::pair<Kind, bool>, MoveProgram> programs_;
    MappedBuffer chunk_;
    Fence fence_;
};

class ComputeStorage final : public Storage {
  public:
    ComputeStorage(ElementType type, Index size, int columns,
                   std::shared_ptr<ComputeMemory> memory);
    ~ComputeStorage() override;
    ComputeStorage(const ComputeStorage&) = delete;
    ComputeStorage& operator=(const ComputeStorage&) = delete;
    void write(const void* values, int column) override;
    void read(void* values, int column) override;

    GLuint id() const { return buffer_.id(); }
    static std::size_t bytes_of_buffer(ElementType type, Index size, int columns);
    // Of a column, in bytes.
    std::size_t offset(int column) const { return std::size_t(pitch) * column * bytes_of(type); }
    const Index pitch;  // elements from column to column

  private:
    std::shared_ptr<ComputeMemory> memory_;
    std::size_t bytes_;
    BufferObject buffer_;
};

}  // namespace solenoid::gl
