#include "device/cuda/cuda_device.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "core/reproducible.hpp"
#include "device/cuda/arguments.hpp"
#include "device/cuda/cuda_kernels.hpp"
#include "device/cuda/cuda_storage.hpp"
#include "device/cuda/device_sums.hpp"
#include "device/cuda/embedded.hpp"
#include "device/cuda/graph.hpp"
#include "device/cuda/peers.hpp"
#include "device/row_lanes.hpp"
#include "device/ticket_slots.hpp"

namespace solenoid {
namespace cuda {
namespace {

// With far fewer threads the GPU waits for memory most of the time.
constexpr Index parallel_rows_of_gpu = 65536, lanes_of_gpu = 131072;
constexpr std::size_t pitch_multiple = 64;

Index blocks_of(Index entities) { return (entities + group_size - 1) / group_size; }

const double* address_of(const DeviceNumber& number) {
    return number.sums ? on_gpu(*number.sums).number(number.n, number.is_before) : nullptr;
}

double nothing_of(Reduction reduction) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return reduction == Reduction::sum ? 0 : reduction == Reduction::min ? infinity : -infinity;
}

}  // namespace

CudaStorage::CudaStorage(ElementType type, Index size, int columns,
                         std::shared_ptr<Session> session)
    : Storage(type, size, columns),
      pitch((std::max<std::size_t>(size, 1) + pitch_multiple - 1) / pitch_multiple *
            pitch_multiple),
      session_(std::move(session)),
      bytes_(pitch * columns * bytes_of(type)),
      address_(session_->allocate(bytes_)) {}

namespace {

class CudaDevice final : public Device {
  public:
    explicit CudaDevice(std::shared_ptr<Session> session)
        : session_(std::move(session)),
          kernels_(*session_),
          peers_(session_, kernels_),
          results_(*session_, TicketSlots::count * sizeof(Results)),
          shown_(*session_, sizeof(Shown)),
          partials_(session_->allocate(partial_bytes)),
          finished_(session_->allocate(finished_bytes)) {
        const GpuDescription& d = session_->description();
        info_ = {"cuda", d.name, "cuda:" + d.bus, true, false, true, true};
    }
    ~CudaDevice() override {
        session_->settle();
        session_->release(partials_, partial_bytes);
        session_->release(finished_, finished_bytes);
        if (each_) session_->release(each_, bytes_of_each_);
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
    std::unique_ptr<Staging> staging(std::size_t bytes) override {
        return std::make_unique<CudaStaging>(bytes, session_);
    }
    void gather(const Storage& field, const Storage& where, Staging& to) override;
    void scatter(Staging& from, const Storage& where, Storage& field) override;
    void repeat(std::unique_ptr<Recording>& recording, const RecordedCalls& calls) override;
    PeerAccess* peers() override { return session_->driver().has_peers() ? &peers_ : nullptr; }
    // Of a reproducible run all sums come to the host, which adds up those of the ranks in no
    // order.
    std::unique_ptr<DeviceSums> device_sums() override {
        if (is_binned_) return nullptr;
        return std::make_unique<CudaDeviceSums>(session_, kernels_);
    }
    void keep(DeviceSums* sums) override;
    std::vector<std::array<double, DeviceSums::most>> read_back(
        std::span<DeviceSums* const> sums) override;
    void finish() override { session_->finish(); }

  protected:
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        return std::make_unique<CudaStorage>(type, size, columns, session_);
    }

  private:
    Arguments bound(const Launch& launch, Range range) const;
    Reducing reducing(ReductionTicket& ticket, const Launch& launch, Range range);
    void take_slot(ReductionTicket& ticket);
    void provide_each(std::size_t numbers);
    void reduce_each(const Launch& launch, Range range, const ReductionTicket& ticket);
    Results* result(int slot) const { return reinterpret_cast<Results*>(results_.data()) + slot; }
    void move(bool scatters, ElementType type, const MoveArguments& arguments);

    static constexpr std::size_t partial_bytes = max_reduction_groups * max_reductions *
                                                 binned_numbers * sizeof(double),
                                 finished_bytes = 64;
    static_assert(binned_numbers == BinnedSum::numbers);
    std::shared_ptr<Session> session_;
    KernelFunctions kernels_;
    CudaPeers peers_;
    PinnedMemory results_, shown_;
    Address partials_, finished_;
    // Of a reproducible run: what each entity gives.
    const bool is_binned_ = is_reproducible();
    Address each_ = 0;
    std::size_t bytes_of_each_ = 0;
    std::array<unsigned, TicketSlots::count> sequences_{};
    unsigned sequence_ = 0;
    TicketSlots slots_;
    unsigned readings_ = 0;
    CudaDeviceSums* keeping_ = nullptr;
    bool has_kept_ = false;
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
        for (std::size_t n = 0; n < kernel.reductions.size(); ++n)
            ticket.values[n] = nothing_of(kernel.reductions[n].operation);
        return ticket;
    }
    session_->make_current();
    const bool reduces = !kernel.reductions.empty(), keeps_each = reduces && is_binned_;
    const FunctionHandle function = kernels_.of(launch, keeps_each);
    Arguments arguments = bound(launch, range);
    arguments.lane_bits = unsigned(lane_bits(launch, range, lanes_of_gpu));
    Index blocks = blocks_of(range.size() << arguments.lane_bits);
    if (reduces) arguments.reducing = reducing(ticket, launch, range);
    // the range alone decides: a repeated run has the same bits
    if (reduces && !keeps_each) blocks = std::min<Index>(blocks, max_reduction_groups);
    session_->launch(function, blocks, &arguments);
    if (keeps_each) reduce_each(launch, range, ticket);
    return ticket;
}

void CudaDevice::take_slot(ReductionTicket& ticket) {
    ticket.slot = slots_.take();
    sequences_[ticket.slot] = ++sequence_;
}

// A launch before may still write to the memory that is given back: release() waits for it.
void CudaDevice::provide_each(std::size_t numbers) {
    const std::size_t bytes = numbers * sizeof(double);
    if (bytes <= bytes_of_each_) return;
    if (each_) session_->release(each_, bytes_of_each_);
    each_ = 0;
    each_ = session_->allocate(bytes);
    bytes_of_each_ = bytes;
}

void CudaDevice::reduce_each(const Launch& launch, Range range, const ReductionTicket& ticket) {
    const auto reductions = launch.kernel->reductions;
    BinnedArguments arguments{reinterpret_cast<const double*>(each_),
                              reinterpret_cast<double*>(partials_),
                              reinterpret_cast<unsigned*>(finished_),
                              static_cast<Results*>(results_.on_gpu()) + ticket.slot,
                              sequences_[ticket.slot],
                              range.size(),
                              unsigned(reductions.size()),
                              0};
    for (std::size_t n = 0; n < reductions.size(); ++n)
        arguments.operations |= unsigned(reductions[n].operation) << 2 * n;
    session_->launch(kernels_.of_text(binned_ptx, "reduce_binned"),
                     std::min<Index>(blocks_of(range.size()), max_reduction_groups), &arguments);
}

// Where a launch's reductions go: to a ticket's slot, or where they are kept.
Reducing CudaDevice::reducing(ReductionTicket& ticket, const Launch& launch, Range range) {
    Reducing result{reinterpret_cast<double*>(partials_),
                    reinterpret_cast<unsigned*>(finished_),
                    nullptr,
                    0,
                    nullptr,
                    0,
                    nullptr};
    if (is_binned_) {
        provide_each(launch.kernel->reductions.size() * std::size_t(range.size()));
        result.each = reinterpret_cast<double*>(each_);
        take_slot(ticket);
        return result;
    }
    if (keeping_) {
        result.kept = keeping_->on_gpu();
        result.adds = std::exchange(has_kept_, true) ? 1 : 0;
        return result;
    }
    take_slot(ticket);
    result.sequence = sequences_[ticket.slot];
    result.results = static_cast<Results*>(results_.on_gpu()) + ticket.slot;
    return result;
}

// Where nothing was launched, the sums are zero.
void CudaDevice::keep(DeviceSums* sums) {
    if (keeping_ && !has_kept_) keeping_->clear();
    keeping_ = static_cast<CudaDeviceSums*>(sums);
    has_kept_ = false;
}

std::vector<std::array<double, DeviceSums::most>> CudaDevice::read_back(
    std::span<DeviceSums* const> sums) {
    if (sums.size() > most_shown) throw std::logic_error("too many sums to look at");
    ShowArguments arguments{
        {}, static_cast<Shown*>(shown_.on_gpu()), static_cast<unsigned>(sums.size()), ++readings_};
    for (std::size_t n = 0; n < sums.size(); ++n) arguments.kept[n] = on_gpu(*sums[n]).on_gpu();
    session_->make_current();
    session_->launch(kernels_.of_text(sums_ptx, "show"), 1, &arguments);
    Shown& shown = *reinterpret_cast<Shown*>(shown_.data());
    session_->wait_for(shown.sequence, readings_);
    std::vector<std::array<double, DeviceSums::most>> values(sums.size());
    for (std::size_t n = 0; n < sums.size(); ++n)
        std::ranges::copy(shown.values[n], values[n].begin());
    return values;
}

Arguments CudaDevice::bound(const Launch& launch, Range range) const {
    Arguments arguments{};
    for (std::size_t n = 0; n < launch.kernel->arguments.size(); ++n) {
        const CudaStorage& storage = on_gpu(*launch.buffers[n]);
        arguments.data[n] = storage.data(launch.first_column[n]);
        arguments.pitch[n] = launch.columns[n] == 1 ? 0 : storage.pitch;
    }
    std::copy_n(launch.uniforms.begin(), max_uniforms, arguments.uniforms);
    for (std::size_t n = 0; n < launch.kernel->uniforms.size(); ++n)
        arguments.ratios[n] = {address_of(launch.ratios[n].of), address_of(launch.ratios[n].over)};
    arguments.begin = range.begin;
    arguments.end = range.end;
    return arguments;
}

// The last block writes the results to host memory, and their number after them.
void CudaDevice::collect(ReductionTicket& ticket) {
    if (ticket.slot < 0) return;
    session_->wait_for(result(ticket.slot)->sequence, sequences_[ticket.slot]);
    const Results& results = *result(ticket.slot);
    std::copy_n(results.values, max_reductions, ticket.values.begin());
    for (int n = 0; n < max_reductions && is_binned_; ++n) {
        ticket.sums[n] = BinnedSum::unpacked(std::span<const double, BinnedSum::numbers>(
            results.values + n * BinnedSum::numbers, BinnedSum::numbers));
        ticket.values[n] = ticket.sums[n].value();  // of an extreme, too: the others are zero
    }
    slots_.give_back(ticket.slot);
    ticket.slot = -1;
}

void CudaDevice::move(bool scatters, ElementType type, const MoveArguments& arguments) {
    if (arguments.count == 0) return;
    session_->make_current();
    const std::string name =
        std::string(scatters ? "scatter_" : "gather_") + (bytes_of(type) == 8 ? "8" : "4");
    session_->launch(kernels_.of_text(moves_ptx, name), blocks_of(arguments.count), &arguments);
}

void CudaDevice::scatter(const Storage& value, const Storage& where, Storage& out) {
    move(true, value.type,
         {on_gpu(value).data(0), on_gpu(out).data(0),
          static_cast<const unsigned*>(on_gpu(where).data(0)), on_gpu(value).pitch,
          on_gpu(out).pitch, where.size, unsigned(value.columns)});
}

void CudaDevice::gather(const Storage& field, const Storage& where, Staging& to) {
    auto& staging = static_cast<CudaStaging&>(to);
    move(false, field.type,
         {on_gpu(field).data(0), staging.on_gpu(),
          static_cast<const unsigned*>(on_gpu(where).data(0)), on_gpu(field).pitch, where.size,
          where.size, unsigned(field.columns)});
    session_->make_current();
    staging.mark_written();
}

void CudaDevice::scatter(Staging& from, const Storage& where, Storage& field) {
    auto& staging = static_cast<CudaStaging&>(from);
    move(true, field.type,
         {staging.on_gpu(), on_gpu(field).data(0),
          static_cast<const unsigned*>(on_gpu(where).data(0)), where.size, on_gpu(field).pitch,
          where.size, unsigned(field.columns)});
    session_->make_current();
    staging.mark_read();
}

void CudaDevice::copy(const Storage& from, Storage& to) {
    if (from.size == 0) return;
    session_->make_current();
    for (int j = 0; j < from.columns; ++j)
        session_->check(
            session_->driver().copy(on_gpu(to).address(j), on_gpu(from).address(j),
                                    from.size * bytes_of(from.type), session_->stream()),
            "cuMemcpyDtoDAsync");
}

void CudaDevice::repeat(std::unique_ptr<Recording>& recording, const RecordedCalls& calls) {
    if (!recording) recording = std::make_unique<Graph>(session_);
    static_cast<Graph&>(*recording).run(calls);
}

}  // namespace
}  // namespace cuda

std::unique_ptr<Device> make_cuda_device(std::shared_ptr<cuda::Session> session) {
    return std::make_unique<cuda::CudaDevice>(std::move(session));
}

}  // namespace solenoid
