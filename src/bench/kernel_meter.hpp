// A device that times each kernel the first time it is launched over a number of entities. It
// repeats the launch with its arguments and then restores what it changed, so that results on it
// are those of the device inside.
#pragma once

#include <map>

#include "bench/timing.hpp"

namespace solenoid::bench {

struct KernelMeasurement {
    std::string kernel;
    Index entities = 0;  // of the launch's range
    double bytes = 0;    // traffic_of() the launch
    Timing time, copy;   // of the launch; of a copy of equally many bytes
};

class KernelMeter final : public Device {
  public:
    KernelMeter(const Communicator& comm, Device& device, int repeats)
        : device_(device), timer_(comm, device, repeats) {}

    // For each kernel the launch with the most bytes.
    std::vector<KernelMeasurement> measurements() const;
    // Times a copy of this number of bytes, for comparison with a kernel.
    Timing copy_of(double bytes, ElementType real, bool waits);

    const DeviceInfo& info() const override { return device_.info(); }
    Index row_stride() const override { return device_.row_stride(); }
    Index parallel_rows() const override { return device_.parallel_rows(); }
    bool is_synchronous() const override { return device_.is_synchronous(); }
    std::size_t allocated_bytes() const override { return device_.allocated_bytes(); }
    void launch(const Launch& launch, Range range, std::span<double> reductions) override;
    void scatter(const Storage& value, const Storage& where, Storage& out) override {
        device_.scatter(value, where, out);
    }
    void copy(const Storage& from, Storage& to) override { device_.copy(from, to); }
    std::unique_ptr<Staging> staging(std::size_t bytes) override { return device_.staging(bytes); }
    void gather(const Storage& field, const Storage& where, Staging& to) override {
        device_.gather(field, where, to);
    }
    void scatter(Staging& from, const Storage& where, Storage& field) override {
        device_.scatter(from, where, field);
    }
    void finish() override { device_.finish(); }
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        return device_.allocate(type, size, columns);
    }

  private:
    KernelMeasurement measured(const Launch& launch, Range range, double bytes);

    Device& device_;
    Timer timer_;
    std::map<std::string, KernelMeasurement> largest_;  // by kernel
};

}  // namespace solenoid::bench
