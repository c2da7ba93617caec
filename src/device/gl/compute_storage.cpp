#include "device/gl/compute_storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "device/gl/composition.hpp"
#include "shader_texts.hpp"

namespace solenoid::gl {
namespace {

constexpr std::size_t chunk_bytes = std::size_t(4) << 20;
// From this size on, ordinary buffers may run out of address-translation reach on NVIDIA; sparse
// ones do not.
constexpr std::size_t sparse_bytes = std::size_t(16) << 20;
constexpr std::size_t large_page = std::size_t(2) << 20;
// a column starts where OpenGL lets a buffer be bound: at 256 bytes
constexpr Index pitch_multiple = 64;

std::size_t rounded_up(std::size_t value, std::size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

// Fully committed. No object where the driver refuses.
BufferObject create_sparse(std::size_t bytes) {
    BufferObject buffer = create_buffer();
    glNamedBufferStorage(buffer.id(), static_cast<GLsizeiptr>(bytes), nullptr,
                         GL_SPARSE_STORAGE_BIT_ARB);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer.id());
    glBufferPageCommitmentARB(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(bytes), GL_TRUE);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return buffer;
}

const char* name_of(ComputeMemory::Kind kind) {
    constexpr const char* names[] = {"FILL", "COPY", "GATHER", "SCATTER"};
    return names[static_cast<int>(kind)];
}

}  // namespace

void dispatch_over(Index items) {
    constexpr GLuint limit = 65535;  // groups a side that every driver allows
    const GLuint groups = (items + group_size - 1) / group_size;
    const GLuint rows = (groups + limit - 1) / limit;
    if (groups) glDispatchCompute((groups + rows - 1) / rows, rows, 1);
}

// ---- ComputeMemory

const ComputeMemory::MoveProgram& ComputeMemory::program(Kind kind, bool is_wide) {
    auto found = programs_.find({kind, is_wide});
    if (found != programs_.end()) return found->second;
    const std::string text =
        preamble({}, 430) +
        fmt::format("#define ELEMENT {}\n#define {}\n", is_wide ? "uvec2" : "uint", name_of(kind)) +
        move_compute;
    MoveProgram made{Program::compute("move", text), 0, 0, 0, 0};
    made.count = made.program.location("count");
    made.columns = made.program.location("columns");
    made.first = made.program.location("first");
    made.pitch = made.program.location("pitch");
    return programs_.emplace(std::make_pair(kind, is_wide), std::move(made)).first->second;
}

void ComputeMemory::move(Kind kind, ElementType type, const Move& move) {
    if (move.count == 0) return;
    const MoveProgram& p = program(kind, bytes_of(type) == 8);
    const GLuint id = p.program.id();
    glUseProgram(id);
    glProgramUniform1ui(id, p.count, move.count);
    glProgramUniform1ui(id, p.columns, move.columns);
    glProgramUniform2ui(id, p.first, move.from_first, move.to_first);
    glProgramUniform2ui(id, p.pitch, move.from_pitch, move.to_pitch);
    const GLuint buffers[] = {move.from, move.to, move.where};
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, 0, 3, buffers);
    dispatch_over(move.count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

BufferObject ComputeMemory::allocate(std::size_t& bytes) {
    make_current();
    const std::size_t limit = static_cast<std::size_t>(description().max_storage_bytes);
    if (bytes > limit)
        throw ComputationError(
            fmt::format("a field of {} MiB is larger than the {} MiB that {} allows a buffer "
                        "(GL_MAX_SHADER_STORAGE_BLOCK_SIZE): "
                        "use more ranks, so that each holds less, or the device cpu",
                        bytes >> 20, limit >> 20, description().name));
    while (glGetError() != GL_NO_ERROR) {
    }
    BufferObject buffer;
    if (description().has_sparse_buffers && bytes >= sparse_bytes &&
        rounded_up(bytes, large_page) <= limit) {
        bytes = rounded_up(bytes, large_page);
        buffer = create_sparse(bytes);
    } else {
        buffer = create_buffer();
        glNamedBufferStorage(buffer.id(), static_cast<GLsizeiptr>(bytes), nullptr, 0);
    }
    if (glGetError() != GL_NO_ERROR)
        throw ComputationError(fmt::format(
            "{} has no memory left for a field of {} MiB ({} MiB are in use): use more GPUs or a "
            "coarser mesh",
            description().name, bytes >> 20, allocated_bytes >> 20));
    Move fill;
    fill.to = buffer.id();
    fill.count = static_cast<Index>(bytes / 4);
    move(Kind::fill, ElementType::uint32, fill);
    return buffer;
}

const MappedBuffer& ComputeMemory::chunk() {
    if (!chunk_.data()) chunk_ = MappedBuffer(chunk_bytes);
    return chunk_;
}

void ComputeMemory::upload(const std::byte* values, GLuint buffer, std::size_t offset,
                           std::size_t bytes) {
    make_current();
    for (std::size_t done = 0; done < bytes; done += chunk_bytes) {
        const std::size_t part = std::min(chunk_bytes, bytes - done);
        fence_.wait();
        std::memcpy(chunk().data(), values + done, part);
        Move copy;
        copy.from = chunk().id();
        copy.to = buffer;
        copy.count = static_cast<Index>((part + 3) / 4);
        copy.to_first = static_cast<Index>((offset + done) / 4);
        move(Kind::copy, ElementType::uint32, copy);
        fence_.set();
    }
}

void ComputeMemory::download(GLuint buffer, std::size_t offset, std::byte* values,
                             std::size_t bytes) {
    make_current();
    for (std::size_t done = 0; done < bytes; done += chunk_bytes) {
        const std::size_t part = std::min(chunk_bytes, bytes - done);
        Move copy;
        copy.from = buffer;
        copy.to = chunk().id();
        copy.count = static_cast<Index>((part + 3) / 4);
        copy.from_first = static_cast<Index>((offset + done) / 4);
        move(Kind::copy, ElementType::uint32, copy);
        fence_for_host(fence_);
        fence_.wait();
        std::memcpy(values + done, chunk().data(), part);
    }
}

// ---- ComputeStorage

namespace {
Index pitch_of(Index size) {
    return static_cast<Index>(rounded_up(std::max<Index>(size, 1), pitch_multiple));
}
}  // namespace

std::size_t ComputeStorage::bytes_of_buffer(ElementType type, Index size, int columns) {
    return std::size_t(pitch_of(size)) * columns * bytes_of(type);
}

ComputeStorage::ComputeStorage(ElementType type, Index size, int columns,
                               std::shared_ptr<ComputeMemory> memory)
    : Storage(type, size, columns),
      pitch(pitch_of(size)),
      memory_(std::move(memory)),
      bytes_(bytes_of_buffer(type, size, columns)),
      buffer_(memory_->allocate(bytes_)) {
    memory_->allocated_bytes += bytes_;
}

ComputeStorage::~ComputeStorage() {
    memory_->make_current();
    memory_->allocated_bytes -= bytes_;
}

void ComputeStorage::write(const void* values, int column) {
    memory_->upload(static_cast<const std::byte*>(values), id(), offset(column),
                    size * bytes_of(type));
}

void ComputeStorage::read(void* values, int column) {
    memory_->download(id(), offset(column), static_cast<std::byte*>(values), size * bytes_of(type));
}

}  // namespace solenoid::gl
