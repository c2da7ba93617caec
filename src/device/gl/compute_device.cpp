// The compute device: fields in storage buffers, a kernel is a compute shader.
#include <cstring>

#include "core/error.hpp"
#include "device/gl/compute_storage.hpp"
#include "device/gl/gl_device.hpp"
#include "device/gl/kernel_program.hpp"
#include "device/row_lanes.hpp"
#include "device/ticket_slots.hpp"

namespace solenoid {
namespace gl {
namespace {

// Groups of a reduction, each striding over the range: enough to fill a GPU, few enough for one to
// add up.
constexpr Index max_reduction_groups = 2048;
// On a software renderer starting a group costs more than a hundred entities: all kernels stride.
constexpr Index max_software_groups = 16;
// Invocations that share rows where rows are few; in software enough to test it.
constexpr Index lanes_of_gpu = 131072, lanes_of_software = 512;

ComputeStorage& compute(Storage& storage) { return static_cast<ComputeStorage&>(storage); }
const ComputeStorage& compute(const Storage& storage) {
    return static_cast<const ComputeStorage&>(storage);
}

KernelProgram compile(const KernelInfo& kernel, const KernelVariant& variant) {
    return {Program::compute(kernel.name, compute_text(kernel, variant)), kernel, "column_pitch"};
}

class ComputeStaging final : public Staging {
  public:
    ComputeStaging(std::size_t bytes, std::shared_ptr<ComputeMemory> memory)
        : Staging(bytes), memory_(std::move(memory)), buffer_(bytes) {}
    ~ComputeStaging() override { memory_->make_current(); }

    // The host may write again only after the device has read.
    std::byte* data() override {
        memory_->make_current();
        read_.wait();
        return buffer_.data();
    }
    void wait() override {
        memory_->make_current();
        glFlush();  // what was launched since then runs while the host sends
        written_.wait();
    }

    GLuint id() const { return buffer_.id(); }
    void mark_written() { fence_for_host(written_); }
    void mark_read() { read_.set(); }

  private:
    std::shared_ptr<ComputeMemory> memory_;
    MappedBuffer buffer_;
    Fence written_, read_;
};

class ComputeDevice final : public Device {
  public:
    explicit ComputeDevice(std::shared_ptr<Context> context)
        : memory_(std::make_shared<ComputeMemory>(std::move(context))),
          programs_(compile, memory_->description()) {
        const DeviceDescription& d = memory_->description();
        info_ = {"compute", d.name, d.id, d.has_fp64, d.is_software, true};
        memory_->make_current();
        std::size_t bytes = sizeof(Words) * (1 + max_reduction_groups * max_reductions);
        partials_ = memory_->allocate(bytes);
        for (MappedBuffer& results : results_)
            results = MappedBuffer(sizeof(Words) * max_reductions);
    }
    ~ComputeDevice() override { memory_->make_current(); }

    const DeviceInfo& info() const override { return info_; }
    Index row_stride() const override { return 32; }
    Index parallel_rows() const override { return gpu_parallel_rows; }
    std::size_t allocated_bytes() const override { return memory_->allocated_bytes; }

    void launch(const Launch& launch, Range range, std::span<double> reductions) override;
    ReductionTicket launch_ahead(const Launch& launch, Range range) override;
    void collect(ReductionTicket& ticket) override;
    void scatter(const Storage& value, const Storage& where, Storage& out) override;
    void copy(const Storage& from, Storage& to) override;
    std::unique_ptr<Staging> staging(std::size_t bytes) override {
        memory_->make_current();
        return std::make_unique<ComputeStaging>(bytes, memory_);
    }
    void gather(const Storage& field, const Storage& where, Staging& to) override;
    void scatter(Staging& from, const Storage& where, Storage& field) override;
    void finish() override {
        memory_->make_current();
        glFinish();
    }

  protected:
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        if (type == ElementType::float64 && !info_.has_fp64)
            throw ComputationError(
                info_.name +
                " has no double precision: run in single precision or on the device cpu");
        return std::make_unique<ComputeStorage>(type, size, columns, memory_);
    }

  private:
    void bind(const Launch& launch, KernelProgram& program) const;
    void run(const Launch& launch, Range range, int slot);
    void bind_reduction(int slot) const;
    void dispatch(Index invocations, bool reduces) const;

    std::shared_ptr<ComputeMemory> memory_;
    KernelPrograms programs_;
    BufferObject partials_;
    // Results of reductions, a slot for each launch that has not been collected.
    TicketSlots slots_;
    std::array<MappedBuffer, TicketSlots::count> results_;
    std::array<Fence, TicketSlots::count> fences_;
    DeviceInfo info_;
};

void ComputeDevice::launch(const Launch& launch, Range range, std::span<double> reductions) {
    ReductionTicket ticket = launch_ahead(launch, range);
    if (reductions.empty()) return;
    collect(ticket);
    std::copy_n(ticket.values.begin(), reductions.size(), reductions.begin());
}

ReductionTicket ComputeDevice::launch_ahead(const Launch& launch, Range range) {
    check(launch, range);
    const KernelInfo& kernel = *launch.kernel;
    ReductionTicket ticket;
    if (range.end <= range.begin) {
        for (std::size_t n = 0; n < kernel.reductions.size(); ++n)
            ticket.values[n] = identity_of(kernel.reductions[n].operation);
        return ticket;
    }
    memory_->make_current();
    if (!kernel.reductions.empty()) {
        ticket.slot = slots_.take();
    }
    run(launch, range, ticket.slot);
    return ticket;
}

void ComputeDevice::run(const Launch& launch, Range range, int slot) {
    const int bits = lane_bits(launch, range, info_.is_software ? lanes_of_software : lanes_of_gpu);
    KernelProgram& program = programs_.of(launch, bits > 0);
    glUseProgram(program.program().id());
    program.set_range(range);
    program.set_uniforms(launch);
    bind(launch, program);
    program.set_lane_bits(bits);
    const bool reduces = slot >= 0;
    if (reduces) bind_reduction(slot);
    dispatch(range.size() << bits, reduces);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    if (reduces) fence_for_host(fences_[slot]);
}

void ComputeDevice::collect(ReductionTicket& ticket) {
    if (ticket.slot < 0) return;
    memory_->make_current();
    fences_[ticket.slot].wait();
    const Words* words = results_[ticket.slot].as<Words>();
    for (int n = 0; n < max_reductions; ++n) ticket.values[n] = value_of(words[n], info_.has_fp64);
    slots_.give_back(ticket.slot);
    ticket.slot = -1;
}

void ComputeDevice::bind(const Launch& launch, KernelProgram& program) const {
    std::array<GLuint, max_buffers> ids{}, pitch{};
    std::array<GLintptr, max_buffers> first{};
    std::array<GLsizeiptr, max_buffers> bytes{};
    const auto count = launch.kernel->arguments.size();
    for (std::size_t n = 0; n < count; ++n) {
        const ComputeStorage& storage = compute(*launch.buffers[n]);
        ids[n] = storage.id();
        pitch[n] = launch.columns[n] == 1 ? 0 : storage.pitch;
        first[n] = static_cast<GLintptr>(storage.offset(launch.first_column[n]));
        bytes[n] = static_cast<GLsizeiptr>(storage.offset(storage.columns)) - first[n];
    }
    glBindBuffersRange(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizei>(count), ids.data(),
                       first.data(), bytes.data());
    program.set_shape(pitch);
}

void ComputeDevice::bind_reduction(int slot) const {
    const GLuint buffers[] = {partials_.id(), results_[slot].id()};
    static_assert(result_binding == partial_binding + 1);
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, partial_binding, 2, buffers);
}

// The number of groups depends on the range alone, so that reductions are reproducible.
void ComputeDevice::dispatch(Index invocations, bool reduces) const {
    if (!reduces && !info_.is_software) return dispatch_over(invocations);
    const Index groups = (invocations + group_size - 1) / group_size;
    glDispatchCompute(
        std::min(groups, info_.is_software ? max_software_groups : max_reduction_groups), 1, 1);
}

void ComputeDevice::scatter(const Storage& value, const Storage& where, Storage& out) {
    memory_->make_current();
    Move move;
    move.from = compute(value).id();
    move.to = compute(out).id();
    move.where = compute(where).id();
    move.count = where.size;
    move.columns = static_cast<Index>(value.columns);
    move.from_pitch = compute(value).pitch;
    move.to_pitch = compute(out).pitch;
    memory_->move(ComputeMemory::Kind::scatter, value.type, move);
}

void ComputeDevice::copy(const Storage& from, Storage& to) {
    memory_->make_current();
    Move move;
    move.from = compute(from).id();
    move.to = compute(to).id();
    move.count = from.size;
    move.columns = static_cast<Index>(from.columns);
    move.from_pitch = compute(from).pitch;
    move.to_pitch = compute(to).pitch;
    memory_->move(ComputeMemory::Kind::copy, from.type, move);
}

void ComputeDevice::gather(const Storage& field, const Storage& where, Staging& to) {
    memory_->make_current();
    auto& staging = static_cast<ComputeStaging&>(to);
    Move move;
    move.from = compute(field).id();
    move.to = staging.id();
    move.where = compute(where).id();
    move.count = move.to_pitch = where.size;
    move.columns = static_cast<Index>(field.columns);
    move.from_pitch = compute(field).pitch;
    memory_->move(ComputeMemory::Kind::gather, field.type, move);
    staging.mark_written();
}

void ComputeDevice::scatter(Staging& from, const Storage& where, Storage& field) {
    memory_->make_current();
    auto& staging = static_cast<ComputeStaging&>(from);
    Move move;
    move.from = staging.id();
    move.to = compute(field).id();
    move.where = compute(where).id();
    move.count = move.from_pitch = where.size;
    move.columns = static_cast<Index>(field.columns);
    move.to_pitch = compute(field).pitch;
    memory_->move(ComputeMemory::Kind::scatter, field.type, move);
    staging.mark_read();
}

}  // namespace
}  // namespace gl

std::unique_ptr<Device> make_compute_device(std::shared_ptr<gl::Context> context) {
    const gl::DeviceDescription& d = context->description();
    if (!d.has_compute)
        throw InputError(
            d.name + " (" + d.version +
            ") has no compute shaders (OpenGL 4.3): choose the device fragment or cpu");
    if (d.max_storage_bindings < gl::result_binding + 1)
        throw InputError(
            d.name + " binds " + std::to_string(d.max_storage_bindings) +
            " storage buffers (GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS), 14 are needed: choose the "
            "device fragment or cpu");
    return std::make_unique<gl::ComputeDevice>(std::move(context));
}

}  // namespace solenoid
