// The compute device: fields in storage buffers, a kernel is a compute shader.
#include <cstring>

#include "core/error.hpp"
#include "core/reproducible.hpp"
#include "device/buffer_limit.hpp"
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

KernelProgram compiled(const KernelInfo& kernel, const KernelVariant& variant) {
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

class ComputeDevice final : public Device, public BufferLimit {
  public:
    explicit ComputeDevice(std::shared_ptr<Context> context)
        : memory_(std::make_shared<ComputeMemory>(std::move(context))),
          programs_(compiled, memory_->description()) {
        const DeviceDescription& d = memory_->description();
        info_ = {"compute", d.name, d.id, d.has_fp64, d.is_software, true, d.has_fp64};
        memory_->make_current();
        const std::size_t of_group = max_reductions * (is_binned_ ? BinnedSum::numbers : 1);
        std::size_t bytes = sizeof(Words) * (1 + max_reduction_groups * of_group);
        partials_ = memory_->allocate(bytes);
        for (MappedBuffer& results : results_) {
            results = MappedBuffer(sizeof(Words) * of_group);
            std::memset(results.data(), 0, results.bytes());
        }
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
    bool holds(ElementType type, Index size, int columns) const override {
        return ComputeStorage::bytes_of_buffer(type, size, columns) <=
               static_cast<std::size_t>(memory_->description().max_storage_bytes);
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
    void bind_reduction(const BufferObject& numbers, int slot) const;
    void provide_each(std::size_t numbers);
    void reduce_each(const Launch& launch, Range range, int slot);
    void dispatch(Index invocations, bool reduces) const;

    std::shared_ptr<ComputeMemory> memory_;
    KernelPrograms programs_;
    BufferObject partials_;
    // Of a reproducible run: what each entity gives, and the kernel that sums it up in no order.
    const bool is_binned_ = is_reproducible();
    BufferObject each_;
    std::size_t bytes_of_each_ = 0;
    Program binned_;
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
    const bool keeps_each = slot >= 0 && is_binned_;
    if (keeps_each) provide_each(launch.kernel->reductions.size() * std::size_t(range.size()));
    KernelProgram& program = programs_.of(launch, bits > 0, keeps_each);
    glUseProgram(program.program().id());
    program.set_range(range);
    program.set_uniforms(launch);
    bind(launch, program);
    program.set_lane_bits(bits);
    const bool reduces = slot >= 0;
    if (reduces) bind_reduction(keeps_each ? each_ : partials_, slot);
    dispatch(range.size() << bits, reduces && !keeps_each);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    if (keeps_each) reduce_each(launch, range, slot);
    if (reduces) fence_for_host(fences_[slot]);
}

void ComputeDevice::collect(ReductionTicket& ticket) {
    if (ticket.slot < 0) return;
    memory_->make_current();
    fences_[ticket.slot].wait();
    const Words* words = results_[ticket.slot].as<Words>();
    for (int n = 0; n < max_reductions; ++n) {
        if (!is_binned_) {
            ticket.values[n] = value_of(words[n], info_.has_fp64);
            continue;
        }
        std::array<double, BinnedSum::numbers> numbers;
        for (std::size_t k = 0; k < numbers.size(); ++k)
            numbers[k] = value_of(words[n * numbers.size() + k], true);
        ticket.sums[n] = BinnedSum::unpacked(numbers);
        ticket.values[n] = ticket.sums[n].value();  // of an extreme, too: the others are zero
    }
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

void ComputeDevice::bind_reduction(const BufferObject& numbers, int slot) const {
    const GLuint buffers[] = {numbers.id(), results_[slot].id()};
    static_assert(result_binding == partial_binding + 1);
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, partial_binding, 2, buffers);
}

// Before anything is bound: to allocate is to run a program.
void ComputeDevice::provide_each(std::size_t numbers) {
    if (numbers * sizeof(Words) <= bytes_of_each_) return;
    bytes_of_each_ = numbers * sizeof(Words);
    each_ = memory_->allocate(bytes_of_each_);
}

void ComputeDevice::reduce_each(const Launch& launch, Range range, int slot) {
    if (!binned_.id()) binned_ = Program::compute("binned", binned_text());
    const auto reductions = launch.kernel->reductions;
    GLuint operations = 0;
    for (std::size_t n = 0; n < reductions.size(); ++n)
        operations |= static_cast<GLuint>(reductions[n].operation) << 2 * n;
    const GLuint id = binned_.id();
    glUseProgram(id);
    glProgramUniform1ui(id, binned_.location("count"), range.size());
    glProgramUniform1ui(id, binned_.location("reductions"), static_cast<GLuint>(reductions.size()));
    glProgramUniform1ui(id, binned_.location("operations"), operations);
    const GLuint buffers[] = {each_.id(), partials_.id(), results_[slot].id()};
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, 0, 3, buffers);
    dispatch(range.size(), true);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
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
