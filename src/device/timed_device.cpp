#include "device/timed_device.hpp"

#include <algorithm>

#include "core/timer.hpp"

namespace solenoid {
namespace {

double bytes_of(const Storage& storage) {
    return double(storage.size) * storage.columns * double(bytes_of(storage.type));
}

double bytes_of(const Launch& launch) {
    double sum = 0;
    for (std::size_t n = 0; n < launch.kernel->arguments.size(); ++n) {
        const KernelArgument& argument = launch.kernel->arguments[n];
        if (argument.is_output_again) continue;
        const Storage& storage = *launch.buffers[n];
        const double part =
            std::min(1.0, double(column_count(argument, launch.dimension)) / storage.columns);
        sum += part * bytes_of(storage) * (argument.access == Access::inout ? 2 : 1);
    }
    return sum;
}

}  // namespace

template <class Work>
void TimedDevice::measure(const std::string& name, Index entities, double bytes, Work&& work) {
    device_->finish();
    Stopwatch watch;
    work();
    device_->finish();
    const double seconds = watch.seconds();
    KernelTime& time = times_[{name, entities}];
    time.kernel = name;
    time.entities = entities;
    ++time.launches;
    time.seconds += seconds;
    time.bytes += bytes;
}

std::vector<KernelTime> TimedDevice::times() const {
    std::vector<KernelTime> result;
    for (const auto& [key, time] : times_) result.push_back(time);
    std::stable_sort(result.begin(), result.end(), [](const KernelTime& a, const KernelTime& b) {
        return a.seconds > b.seconds;
    });
    return result;
}

void TimedDevice::launch(const Launch& launch, Range range, std::span<double> reductions) {
    measure(std::string(launch.kernel->name), range.size(), bytes_of(launch),
            [&] { device_->launch(launch, range, reductions); });
}

void TimedDevice::scatter(const Storage& value, const Storage& where, Storage& out) {
    measure("scatter", where.size, 2 * bytes_of(value) + bytes_of(where),
            [&] { device_->scatter(value, where, out); });
}

void TimedDevice::copy(const Storage& from, Storage& to) {
    measure("copy", from.size, bytes_of(from) + bytes_of(to), [&] { device_->copy(from, to); });
}

void TimedDevice::gather(const Storage& field, const Storage& where, Staging& to) {
    measure("gather", where.size, 2 * double(to.bytes) + bytes_of(where),
            [&] { device_->gather(field, where, to); });
}

void TimedDevice::scatter(Staging& from, const Storage& where, Storage& field) {
    measure("scatter", where.size, 2 * double(from.bytes) + bytes_of(where),
            [&] { device_->scatter(from, where, field); });
}

}  // namespace solenoid
