// The plain device: fields in host memory, a kernel is a loop.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "core/error.hpp"
#include "core/reproducible.hpp"
#include "core/threads.hpp"
#include "device/device.hpp"

namespace solenoid {
namespace {

class CpuStorage final : public Storage {
  public:
    CpuStorage(ElementType type, Index size, int columns, std::shared_ptr<std::size_t> allocated)
        : Storage(type, size, columns),
          pitch((std::size_t(size) + 15) / 16 * 16),
          bytes(pitch * columns * bytes_of(type)),
          allocated_(std::move(allocated)) {
        data = static_cast<std::byte*>(
            ::operator new (std::max<std::size_t>(bytes, 64), std::align_val_t{alignment()}));
        if (alignment() > 64) madvise(data, bytes, MADV_HUGEPAGE);
        in_parts(
            0, bytes,
            [&](std::size_t begin, std::size_t end) { std::memset(data + begin, 0, end - begin); },
            least_of_thread);
        *allocated_ += bytes;
    }
    ~CpuStorage() override {
        *allocated_ -= bytes;
        ::operator delete (data, std::align_val_t{alignment()});
    }
    CpuStorage(const CpuStorage&) = delete;
    CpuStorage& operator=(const CpuStorage&) = delete;

    std::byte* column(int j) const { return data + j * pitch * bytes_of(type); }
    void write(const void* values, int j) override {
        move(static_cast<const std::byte*>(values), column(j));
    }
    void read(void* values, int j) override { move(column(j), static_cast<std::byte*>(values)); }

    const std::size_t pitch;
    const std::size_t bytes;
    std::byte* data;

  private:
    static constexpr std::size_t least_of_thread = std::size_t(1) << 20;  // bytes

    void move(const std::byte* from, std::byte* to) const {
        in_parts(
            0, size * bytes_of(type),
            [&](std::size_t begin, std::size_t end) {
                std::memcpy(to + begin, from + begin, end - begin);
            },
            least_of_thread);
    }

    // Large ones lie on large pages, where the system has them: gathers then find their pages in
    // the processor's table.
    std::size_t alignment() const {
        return bytes >= (std::size_t(4) << 20) ? std::size_t(2) << 20 : 64;
    }

    std::shared_ptr<std::size_t> allocated_;  // the device's count, which may outlive the device
};

const CpuStorage& cpu(const Storage& storage) { return static_cast<const CpuStorage&>(storage); }

class CpuStaging final : public Staging {
  public:
    explicit CpuStaging(std::size_t bytes) : Staging(bytes), memory_(bytes) {}
    std::byte* data() override { return memory_.data(); }
    void wait() override {}

  private:
    std::vector<std::byte> memory_;
};

// to[k] = from[where[k]] and to[where[k]] = from[k], for a column of words of either size.
template <class T>
void gather_column(const void* from, const Index* where, Index count, void* to) {
    for (Index k = 0; k < count; ++k)
        static_cast<T*>(to)[k] = static_cast<const T*>(from)[where[k]];
}
template <class T>
void scatter_column(const void* from, const Index* where, Index count, void* to) {
    for (Index k = 0; k < count; ++k)
        static_cast<T*>(to)[where[k]] = static_cast<const T*>(from)[k];
}
void gather_column(ElementType type, const void* from, const Index* where, Index count, void* to) {
    if (bytes_of(type) == 8)
        gather_column<std::uint64_t>(from, where, count, to);
    else
        gather_column<std::uint32_t>(from, where, count, to);
}
void scatter_column(ElementType type, const void* from, const Index* where, Index count, void* to) {
    if (bytes_of(type) == 8)
        scatter_column<std::uint64_t>(from, where, count, to);
    else
        scatter_column<std::uint32_t>(from, where, count, to);
}
const Index* indices(const Storage& where) {
    return reinterpret_cast<const Index*>(cpu(where).data);
}

class CpuDevice final : public Device {
  public:
    CpuDevice() : allocated_(std::make_shared<std::size_t>(0)) {
        info_.kind = "cpu";
        info_.name = "processor";
        info_.has_binned_sums = true;
    }
    const DeviceInfo& info() const override { return info_; }
    Index row_stride() const override { return cpu_row_stride; }
    bool is_synchronous() const override { return true; }
    std::size_t allocated_bytes() const override { return *allocated_; }

    void launch(const Launch& launch, Range range, std::span<double> reductions) override {
        const Loop loop(launch);
        if (reductions.empty())
            in_parts(
                range.begin, range.end,
                [&](std::size_t begin, std::size_t end) {
                    loop({Index(begin), Index(end)}, nullptr);
                },
                least_of_thread);
        else
            reduce(loop, launch.kernel->reductions, range, reductions);
    }
    ReductionTicket launch_ahead(const Launch& launch, Range range) override {
        if (!is_reproducible() || launch.kernel->reductions.empty())
            return Device::launch_ahead(launch, range);
        return binned(Loop(launch, launch.kernel->binned), launch.kernel->reductions, range);
    }
    void scatter(const Storage& value, const Storage& where, Storage& out) override {
        for (int j = 0; j < value.columns; ++j)
            scatter_column(value.type, cpu(value).column(j), indices(where), where.size,
                           cpu(out).column(j));
    }
    void copy(const Storage& from, Storage& to) override {
        for (int j = 0; j < from.columns; ++j) to.write(cpu(from).column(j), j);
    }
    std::unique_ptr<Staging> staging(std::size_t bytes) override {
        return std::make_unique<CpuStaging>(bytes);
    }
    void gather(const Storage& field, const Storage& where, Staging& to) override {
        std::byte* at = to.data();
        for (int j = 0; j < field.columns; ++j, at += where.size * bytes_of(field.type))
            gather_column(field.type, cpu(field).column(j), indices(where), where.size, at);
    }
    void scatter(Staging& from, const Storage& where, Storage& field) override {
        const std::byte* at = from.data();
        for (int j = 0; j < field.columns; ++j, at += where.size * bytes_of(field.type))
            scatter_column(field.type, at, indices(where), where.size, cpu(field).column(j));
    }
    void finish() override {}

  protected:
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        try {
            return std::make_unique<CpuStorage>(type, size, columns, allocated_);
        } catch (const std::bad_alloc&) {
            throw ComputationError("not enough memory for a field of " + std::to_string(size) +
                                   " x " + std::to_string(columns) +
                                   " values: use more ranks, on more machines, or a coarser mesh");
        }
    }

  private:
    static constexpr Index least_of_thread = 4096, block = 32768;  // entities

    // A kernel's loop with its buffers and uniforms.
    class Loop {
      public:
        explicit Loop(const Launch& launch) : Loop(launch, launch.kernel->cpu) {}
        Loop(const Launch& launch, const CpuFunction (&functions)[2][2])
            : function_(functions[launch.real == ElementType::float64][launch.dimension == 3]),
              uniforms_(launch.uniforms.data()) {
            for (std::size_t n = 0; n < launch.kernel->arguments.size(); ++n) {
                data_[n] = cpu(*launch.buffers[n]).column(launch.first_column[n]);
                pitch_[n] = is_single_column(launch.kernel->arguments[n]) || launch.columns[n] == 1
                                ? 0
                                : cpu(*launch.buffers[n]).pitch;
            }
        }
        void operator()(Range part, double* results) const {
            function_(data_.data(), pitch_.data(), uniforms_, part, results);
        }

      private:
        CpuFunction function_;
        const double* uniforms_;
        std::array<const void*, max_buffers> data_{};
        std::array<std::size_t, max_buffers> pitch_{};
    };

    // Block by block, each with its results; a result is `numbers` doubles a reduction.
    template <std::size_t numbers>
    static std::vector<std::array<double, max_reductions * numbers>> results_of_blocks(
        const Loop& loop, Range range) {
        const Index first = range.begin / block,
                    blocks = range.size() ? (range.end - 1) / block - first + 1 : 1;
        std::vector<std::array<double, max_reductions * numbers>> results(blocks);
        for_each(
            0, blocks,
            [&](std::size_t b) {
                const Index start = (first + Index(b)) * block;
                loop({std::max(start, range.begin), b + 1 == blocks ? range.end : start + block},
                     results[b].data());
            },
            1);
        return results;
    }
    // Blocks are put together in order: the same bits with any number of threads.
    static void reduce(const Loop& loop, std::span<const KernelReduction> operations, Range range,
                       std::span<double> reductions) {
        if (range.size() && range.begin / block == (range.end - 1) / block)
            return loop(range, reductions.data());
        const auto results = results_of_blocks<1>(loop, range);
        for (std::size_t n = 0; n < reductions.size(); ++n) {
            reductions[n] = results[0][n];
            for (std::size_t b = 1; b < results.size(); ++b)
                reductions[n] = combined(operations[n].operation, reductions[n], results[b][n]);
        }
    }
    static ReductionTicket binned(const Loop& loop, std::span<const KernelReduction> operations,
                                  Range range) {
        constexpr std::size_t numbers = BinnedSum::numbers;
        const auto results = results_of_blocks<numbers>(loop, range);
        ReductionTicket ticket;
        for (std::size_t n = 0; n < operations.size(); ++n) {
            const bool is_sum = operations[n].operation == Reduction::sum;
            ticket.values[n] = results[0][n * numbers];
            for (std::size_t b = 0; b < results.size(); ++b)
                if (is_sum)
                    ticket.sums[n].add(BinnedSum::unpacked(
                        std::span(results[b]).subspan(n * numbers).first<numbers>()));
                else
                    ticket.values[n] = combined(operations[n].operation, ticket.values[n],
                                                results[b][n * numbers]);
            if (is_sum) ticket.values[n] = ticket.sums[n].value();
        }
        return ticket;
    }
    static double combined(Reduction operation, double a, double b) {
        if (operation == Reduction::sum) return a + b;
        return b != b || (operation == Reduction::min ? b < a : b > a) ? b : a;
    }

    DeviceInfo info_;
    std::shared_ptr<std::size_t> allocated_;
};

}  // namespace

std::unique_ptr<Device> make_cpu_device() { return std::make_unique<CpuDevice>(); }

}  // namespace solenoid
