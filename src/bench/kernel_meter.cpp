#include "bench/kernel_meter.hpp"

#include <cmath>

#include "bench/kernel_traffic.hpp"
#include "device/expression.hpp"

namespace solenoid::bench {
namespace {

// Stores what a launch writes, and restores it at the end.
class Kept {
  public:
    explicit Kept(const Launch& launch) {
        for (std::size_t n = 0; n < launch.kernel->arguments.size(); ++n)
            if (launch.kernel->arguments[n].access != Access::in) keep(*launch.buffers[n]);
    }
    ~Kept() {
        for (const auto& [storage, values] : all_)
            for (int j = 0; j < storage->columns; ++j)
                storage->write(values.data() + j * column_bytes(*storage), j);
    }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

  private:
    static std::size_t column_bytes(const Storage& storage) {
        return std::size_t(storage.size) * bytes_of(storage.type);
    }
    void keep(Storage& storage) {
        std::vector<std::byte>& values =
            all_.emplace_back(&storage, storage.columns * column_bytes(storage)).second;
        for (int j = 0; j < storage.columns; ++j)
            storage.read(values.data() + j * column_bytes(storage), j);
    }

    std::vector<std::pair<Storage*, std::vector<std::byte>>> all_;
};

template <class Real>
Timing copy_in(Device& device, const Timer& timer, double bytes, bool waits) {
    const auto n = static_cast<Index>(std::max(1.0, std::ceil(bytes / (2 * sizeof(Real)))));
    const Buffer<Real> from = device.buffer<Real>(n);
    Buffer<Real> to = device.buffer<Real>(n);
    const Over all(device, {0, n});
    return timer.of([&] { all[to] = from; }, waits);
}

}  // namespace

std::vector<KernelMeasurement> KernelMeter::measurements() const {
    std::vector<KernelMeasurement> all;
    for (const auto& [name, measurement] : largest_) all.push_back(measurement);
    return all;
}

Timing KernelMeter::copy_of(double bytes, ElementType real, bool waits) {
    return real == ElementType::float64 ? copy_in<double>(device_, timer_, bytes, waits)
                                        : copy_in<float>(device_, timer_, bytes, waits);
}

KernelMeasurement KernelMeter::measured(const Launch& launch, Range range, double bytes) {
    const bool waits = !launch.kernel->reductions.empty();
    std::array<double, max_reductions> sums{};
    const std::span<double> results = std::span(sums).first(launch.kernel->reductions.size());
    const Kept kept(launch);
    const Timing time = timer_.of([&] { device_.launch(launch, range, results); }, waits);
    return {std::string(launch.kernel->name), range.size(), bytes, time,
            copy_of(bytes, launch.real, waits)};
}

void KernelMeter::launch(const Launch& launch, Range range, std::span<double> reductions) {
    if (!launch.kernel->is_expression && range.size() > 0) {
        const double bytes = traffic_of(launch, range);
        KernelMeasurement& largest = largest_[std::string(launch.kernel->name)];
        constexpr double much_larger = 1.1;
        if (bytes > much_larger * largest.bytes) largest = measured(launch, range, bytes);
    }
    device_.launch(launch, range, reductions);
}

}  // namespace solenoid::bench
