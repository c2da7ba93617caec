#include "device/cuda/cuda_device.hpp"

#include <atomic>
#include <limits>

#include "core/error.hpp"
#include "device/cuda/arguments.hpp"
#include "device/cuda/cuda_kernels.hpp"
#include "device/cuda/cuda_storage.hpp"
#include "device/cuda/graph.hpp"
#include "device/row_lanes.hpp"

namespace solenoid {
namespace cuda {
namespace {

// With far fewer threads the GPU waits for memory most of the time.
constexpr Index parallel_rows_of_gpu = 65536, lanes_of_gpu = 131072;
constexpr std::size_t pitch_multiple = 64;

Index blocks_of(Index entities) { return (entities + group_size - 1) / group_size; }

double nothing_of(Reduction reduction) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return reduction == Reduction::sum ? 0 : reduction == Reduction::min ? infinity : -infinity;
}

}  // namespace

CudaStorage::CudaStorage(ElementType type, Index size, int columns, std::shared_ptr<Session> session)
    : Storage(type, size, columns),
      pitch((std::max<std::size_t>(size, 1) + pitch_multiple - 1) / pitch_multiple * pitch_multiple),
      session_(std::move(session)),
      bytes_(pitch * columns * bytes_of(type)),
      address_(session_->allocate(bytes_)) {}

namespace {

class CudaDevice final : public Device {
  public:
    explicit CudaDevice(std::shared_ptr<Session> session)
        : session_(std::move(session)),
          kernels_(*session_),
          results_(*session_, slots * sizeof(Results)),
          partials_(session_->allocate(partial_bytes)),
          finished_(session_->allocate(finished_bytes)) {
        const GpuDescription& d = session_->description();
        info_ = {"cuda", d.name, "cuda:" + d.bus, true, false, true};
    }
    ~CudaDevice() override {
        session_->settle();
        session_->release(partials_, partial_bytes);
        session_->release(finished_, finished_bytes);
    }

    const DeviceInfo& info() const override { return info_; }
    Index row_stride() const override { return cuda::row_stride; }
    Index parallel_rows() const override { return parallel_rows_of_gpu; }
    std::size_t allocated_bytes() const override { return session_->allocated_bytes(); }

    void launch(const Launch& launch, Range range, std::span<double> reductions) override;
    ReductionTicket launch_ahead(const Launch& launch, Range range) override;
    void collect(ReductionTicket& ticket) override;
    void scatter(const Storage& value, const Storage& where, Storage& out) override;
    void copy(const Storage& from, Storage& to) override;
    std::unique_ptr<Staging> staging(std::size_t bytes) override { return std::make_unique<CudaStaging>(bytes, session_); }
    void gather(const Storage& field, const Storage& where, Staging& to) override;
    void scatter(Staging& from, const Storage& where, Storage& field) override;
    void repeat(std::unique_ptr<Recording>& recording, const RecordedCalls& calls) override;
    void finish() override { session_->finish(); }

  protected:
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        return std::make_unique<CudaStorage>(type, size, columns, session_);
    }

  private:
    Arguments bound(const Launch& launch, Range range) const;
    Results* result(int slot) const { return reinterpret_cast<Results*>(results_.data()) + slot; }
    bool has_arrived(int slot) const { return std::atomic_ref(result(slot)->sequence).load(std::memory_order_acquire) == sequences_[slot]; }
    void move(bool scatters, ElementType type, const MoveArguments& arguments);

    static constexpr int slots = 4;  // of reductions that have not been collected
    static constexpr std::size_t partial_bytes = max_reduction_groups * max_reductions * sizeof(double), finished_bytes = 64;
    std::shared_ptr<Session> session_;
    KernelFunctions kernels_;
    PinnedMemory results_;
    Address partials_, finished_;
    std::array<unsigned, slots> sequences_{};
    unsigned sequence_ = 0;
    int next_slot_ = 0;
    DeviceInfo info_;
};

void CudaDevice::launch(const Launch& launch, Range range, std::span<double> reductions) {
    ReductionTicket ticket = launch_ahead(launch, range);
    if (reductions.empty()) return;
    collect(ticket);
    std::copy_n(ticket.values.begin(), reductions.size(), reductions.begin());
}

ReductionTicket CudaDevice::launch_ahead(const Launch& launch, Range range) {
    check(launch, range);
    const KernelInfo& kernel = *launch.kernel;
    ReductionTicket ticket;
    if (range.end <= range.begin) {
        for (std::size_t n = 0; n < kernel.reductions.size(); ++n) ticket.values[n] = nothing_of(kernel.reductions[n].operation);
        return ticket;
    }
    session_->make_current();
    const FunctionHandle function = kernels_.of(launch);
    Arguments arguments = bound(launch, range);
    arguments.lane_bits = unsigned(lane_bits(launch, range, lanes_of_gpu));
    Index blocks = blocks_of(range.size() << arguments.lane_bits);
    if (!kernel.reductions.empty()) {
        ticket.slot = next_slot_;
        next_slot_ = (next_slot_ + 1) % slots;
        sequences_[ticket.slot] = ++sequence_;
        Results* const on_gpu = static_cast<Results*>(results_.on_gpu()) + ticket.slot;
        arguments.reducing = {reinterpret_cast<double*>(partials_), reinterpret_cast<unsigned*>(finished_), on_gpu, sequence_};
        blocks = std::min<Index>(blocks, max_reduction_groups);  // the range alone decides: a repeated run has the same bits
    }
    session_->launch(function, blocks, &arguments);
    return ticket;
}

Arguments CudaDevice::bound(const Launch& launch, Range range) const {
    Arguments arguments{};
    for (std::size_t n = 0; n < launch.kernel->arguments.size(); ++n) {
        const CudaStorage& storage = on_gpu(*launch.buffers[n]);
        arguments.data[n] = storage.data(launch.first_column[n]);
        arguments.pitch[n] = launch.columns[n] == 1 ? 0 : storage.pitch;
    }
    std::copy_n(launch.uniforms.begin(), max_uniforms, arguments.uniforms);
    arguments.begin = range.begin;
    arguments.end = range.end;
    return arguments;
}

// The last block writes the results to host memory, and their number after them.
void CudaDevice::collect(ReductionTicket& ticket) {
    if (ticket.slot < 0) return;
    constexpr unsigned patience = 1u << 14;  // looks at the number before one at the stream, which may have failed
    for (unsigned looks = 1; !has_arrived(ticket.slot); ++looks) {
        if (looks % patience) continue;
        session_->make_current();
        const Status status = session_->driver().query(session_->stream());
        if (status == not_ready) continue;
        session_->check(status, "cuStreamQuery");
        if (!has_arrived(ticket.slot)) throw ComputationError("CUDA: a kernel has ended without the results of its reductions");
    }
    const Results& results = *result(ticket.slot);
    std::copy_n(results.values, max_reductions, ticket.values.begin());
    ticket.slot = -1;
}

void CudaDevice::move(bool scatters, ElementType type, const MoveArguments& arguments) {
    if (arguments.count == 0) return;
    session_->make_current();
    const std::string name = std::string(scatters ? "scatter_" : "gather_") + (bytes_of(type) == 8 ? "8" : "4");
    session_->launch(kernels_.mover(name), blocks_of(arguments.count), &arguments);
}

void CudaDevice::scatter(const Storage& value, const Storage& where, Storage& out) {
    move(true, value.type,
         {on_gpu(value).data(0), on_gpu(out).data(0), static_cast<const unsigned*>(on_gpu(where).data(0)), on_gpu(value).pitch, on_gpu(out).pitch, where.size,
          unsigned(value.columns)});
}

void CudaDevice::gather(const Storage& field, const Storage& where, Staging& to) {
    auto& staging = static_cast<CudaStaging&>(to);
    move(false, field.type,
         {on_gpu(field).data(0), staging.on_gpu(), static_cast<const unsigned*>(on_gpu(where).data(0)), on_gpu(field).pitch, where.size, where.size,
          unsigned(field.columns)});
    session_->make_current();
    staging.mark_written();
}

void CudaDevice::scatter(Staging& from, const Storage& where, Storage& field) {
    auto& staging = static_cast<CudaStaging&>(from);
    move(true, field.type,
         {staging.on_gpu(), on_gpu(field).data(0), static_cast<const unsigned*>(on_gpu(where).data(0)), where.size, on_gpu(field).pitch, where.size,
          unsigned(field.columns)});
    session_->make_current();
    staging.mark_read();
}

void CudaDevice::copy(const Storage& from, Storage& to) {
    if (from.size == 0) return;
    session_->make_current();
    for (int j = 0; j < from.columns; ++j)
        session_->check(session_->driver().copy(on_gpu(to).address(j), on_gpu(from).address(j), from.size * bytes_of(from.type), session_->stream()), "cuMemcpyDtoDAsync");
}

void CudaDevice::repeat(std::unique_ptr<Recording>& recording, const RecordedCalls& calls) {
    if (!recording) recording = std::make_unique<Graph>(session_);
    static_cast<Graph&>(*recording).run(calls);
}

}  // namespace
}  // namespace cuda

std::unique_ptr<Device> make_cuda_device(std::shared_ptr<cuda::Session> session) { return std::make_unique<cuda::CudaDevice>(std::move(session)); }

}  // namespace solenoid
