// What computes: memory, kernel launches, reductions and transfers, on the CPU, by compute or by
// fragment shaders.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/binned_sum.hpp"
#include "device/buffer.hpp"
#include "device/kernel.hpp"
#include "device/peer_access.hpp"
#include "device/recording.hpp"

namespace solenoid {

struct DeviceInfo {
    std::string kind;  // "cpu", "compute", "fragment", "cuda"
    std::string name;  // "NVIDIA H200", "llvmpipe (LLVM 15.0.6, 256 bits)", ...
    std::string id;    // the same for two ranks of one host that share a GPU; "" on the CPU
    bool has_fp64 = true;
    bool is_software = false;
    bool shares_rows = false;      // several invocations add up a row where rows are few
    bool has_binned_sums = false;  // for reproducible runs
};

// Host memory that the device fills from a buffer, or empties into one, without stalling: halo
// messages.
class Staging {
  public:
    virtual ~Staging() = default;
    virtual std::byte* data() = 0;  // columns x entities of the last gather, column by column
    virtual void wait() = 0;        // until the last gather into it has arrived
    const std::size_t bytes;

  protected:
    explicit Staging(std::size_t bytes) : bytes(bytes) {}
};

// Reductions that a launch has left on the device; Device::collect brings them.
struct ReductionTicket {
    std::array<double, max_reductions> values{};
    int slot = -1;  // where the device keeps them; -1: they are in `values`
    std::array<BinnedSum, max_reductions> sums;  // in a reproducible run, of those that are sums
};

class Device {
  public:
    virtual ~Device() = default;
    virtual const DeviceInfo& info() const = 0;
    // rows whose entries are interleaved in sliced rows: 8 or 32
    virtual Index row_stride() const = 0;
    // launches over fewer entities leave it idle: rows are better shared out, or cut
    virtual Index parallel_rows() const { return 0; }
    virtual bool is_synchronous() const { return false; }  // a launch has ended when it returns
    virtual std::size_t allocated_bytes() const = 0;

    // Zero-filled. Throws ComputationError where memory or a limit of the device does not allow it.
    template <class T>
    Buffer<T> buffer(Index size, int columns = 1) {
        return Buffer<T>(allocate(element_type<T>(), size, columns));
    }
    template <class T>
    Buffer<T> buffer(std::span<const T> values, int columns = 1) {
        Buffer<T> result = buffer<T>(static_cast<Index>(values.size() / columns), columns);
        result.upload(values);
        return result;
    }

    // Runs a kernel over a range of output entities. Use the generated structs of kernels.hpp,
    // which call this. reductions: one double for each REDUCE of the kernel, accumulated in double
    // (waits where there is one).
    virtual void launch(const Launch& launch, Range range, std::span<double> reductions) = 0;
    // The same without waiting, so that messages travel meanwhile. At most four tickets are open at
    // a time.
    virtual ReductionTicket launch_ahead(const Launch& ahead, Range range) {
        ReductionTicket ticket;
        launch(ahead, range, std::span(ticket.values).first(ahead.kernel->reductions.size()));
        return ticket;
    }
    virtual void collect(ReductionTicket& ticket) { ticket.slot = -1; }

    // Null: this device brings every reduction to the host.
    virtual std::unique_ptr<DeviceSums> device_sums() { return nullptr; }
    // Reductions of what is launched from now on stay in `sums`; null: they go to the host again.
    // Use Keeping.
    virtual void keep(DeviceSums*) { throw std::logic_error("this device keeps no sums"); }
    // What is in them behind all that was launched; waits. At most eight at a time.
    virtual std::vector<std::array<double, DeviceSums::most>> read_back(
        std::span<DeviceSums* const>) {
        return {};
    }

    // The boundary write, the one scatter: out[where[k]] = value[k], all columns. Point sprites on
    // the fragment device.
    virtual void scatter(const Storage& value, const Storage& where, Storage& out) = 0;
    template <class T>
    void scatter(const Buffer<T>& value, const Buffer<std::uint32_t>& where, Buffer<T>& out) {
        if (where.size()) scatter(value.storage(), where.storage(), out.storage());
    }
    // Of a field. listed: `where` names all entities to be written as far as that.
    template <HasGhosts Field>
    void scatter(const Buffer<typename Field::Real>& value, const Buffer<std::uint32_t>& where,
                 Field& out, Reach listed = Reach::own) {
        scatter(value, where, out.write_listed(listed));
    }
    virtual void copy(const Storage& from, Storage& to) = 0;
    template <class T>
    void copy(const Buffer<T>& from, Buffer<T>& to) {
        copy(from.storage(), to.storage());
    }

    // Halo messages: staging[j][k] = field(where[k], column j), asynchronously; and back.
    virtual std::unique_ptr<Staging> staging(std::size_t bytes) = 0;
    virtual void gather(const Storage& field, const Storage& where, Staging& to) = 0;
    virtual void scatter(Staging& from, const Storage& where, Storage& field) = 0;

    // Makes the calls, or does at once what they were the time before. recording: empty at first,
    // the device's since; of the same calls every time, whose buffers live as long as it.
    virtual void repeat([[maybe_unused]] std::unique_ptr<Recording>& recording,
                        const RecordedCalls& calls) {
        calls();
    }

    // null: other devices cannot write into this one's memory
    virtual PeerAccess* peers() { return nullptr; }
    virtual void finish() = 0;  // until all work is done
    // what buffer() holds
    virtual std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) = 0;
};

// A launch whose reductions are not waited for. Made by all of `ranks`, which outlive it, and so is
// get() called, where there are sums among them; else null. Collective there.
class PendingLaunch {
  public:
    PendingLaunch(const SummingRanks* ranks, Device& device, const Launch& launch,
                  const SplitRange& rows);
    std::array<double, max_reductions> get();

  private:
    const SummingRanks* ranks_;
    Device& device_;
    const KernelInfo& kernel_;
    std::array<ReductionTicket, 2> tickets_;
    int count_ = 0;
};

// While it lives, reductions stay on the device; what their launches return is zero.
class Keeping {
  public:
    Keeping(Device& device, DeviceSums& sums) : device_(device) { device.keep(&sums); }
    ~Keeping() {
        try {
            device_.keep(nullptr);
        } catch (...) {  // another error is on its way already
        }
    }
    Keeping(const Keeping&) = delete;
    Keeping& operator=(const Keeping&) = delete;

  private:
    Device& device_;
};

constexpr Index cpu_row_stride = 8;  // eight doubles, or floats, are a register
std::unique_ptr<Device> make_cpu_device();

}  // namespace solenoid
