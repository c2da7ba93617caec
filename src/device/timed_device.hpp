// A device that measures what it is asked to do: one entry a kernel and range, times with the
// device idle before and after.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "device/device.hpp"

namespace solenoid {

struct KernelTime {
    std::string kernel;  // or "copy", "scatter", "gather"
    Index entities = 0;
    std::int64_t launches = 0;
    // of all launches, the wait for the device (some 10 us on a GPU) included
    double seconds = 0;
    // of all launches: each buffer once, whole; what is written in place twice
    double bytes = 0;
};

class TimedDevice final : public Device {
  public:
    explicit TimedDevice(std::unique_ptr<Device> device) : device_(std::move(device)) {}

    std::vector<KernelTime> times() const;  // the dearest first
    void forget() { times_.clear(); }

    const DeviceInfo& info() const override { return device_->info(); }
    Index row_stride() const override { return device_->row_stride(); }
    Index parallel_rows() const override { return device_->parallel_rows(); }
    bool is_synchronous() const override { return device_->is_synchronous(); }
    std::size_t allocated_bytes() const override { return device_->allocated_bytes(); }
    void launch(const Launch& launch, Range range, std::span<double> reductions) override;
    void scatter(const Storage& value, const Storage& where, Storage& out) override;
    void copy(const Storage& from, Storage& to) override;
    std::unique_ptr<Staging> staging(std::size_t bytes) override { return device_->staging(bytes); }
    void gather(const Storage& field, const Storage& where, Staging& to) override;
    void scatter(Staging& from, const Storage& where, Storage& field) override;
    void finish() override { device_->finish(); }
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        return device_->allocate(type, size, columns);
    }

  private:
    template <class Work>
    void measure(const std::string& name, Index entities, double bytes, Work&& work);

    std::unique_ptr<Device> device_;
    std::map<std::pair<std::string, Index>, KernelTime> times_;
};

}  // namespace solenoid
