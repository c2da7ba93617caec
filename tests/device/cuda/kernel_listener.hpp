// A device that computes nothing and remembers what it is asked to launch: the kernels that
// expressions become.
#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"
#include "device/expression.hpp"

namespace solenoid::test {

class KernelListener final : public Device {
  public:
    const DeviceInfo& info() const override { return cpu_->info(); }
    Index row_stride() const override { return cpu_->row_stride(); }
    std::size_t allocated_bytes() const override { return 0; }
    void launch(const Launch& launch, Range, std::span<double>) override {
        heard.push_back(launch);
    }
    void scatter(const Storage&, const Storage&, Storage&) override {}
    void copy(const Storage&, Storage&) override {}
    std::unique_ptr<Staging> staging(std::size_t bytes) override { return cpu_->staging(bytes); }
    void gather(const Storage&, const Storage&, Staging&) override {}
    void scatter(Staging&, const Storage&, Storage&) override {}
    void finish() override {}
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        return cpu_->allocate(type, size, columns);
    }

    std::vector<Launch> heard;

  private:
    std::unique_ptr<Device> cpu_ = make_cpu_device();
};

}  // namespace solenoid::test
