// Sums that stay in a GPU's memory.
#pragma once

#include "device/cuda/arguments.hpp"
#include "device/cuda/cuda_kernels.hpp"
#include "device/cuda/cuda_storage.hpp"
#include "device/device_sums.hpp"

namespace solenoid::cuda {

class CudaDeviceSums final : public DeviceSums {
  public:
    CudaDeviceSums(std::shared_ptr<Session> session, KernelFunctions& kernels);
    ~CudaDeviceSums() override { session_->settle(); }

    void set(const std::array<double, most>& values) override;
    void clear();  // as a `Keeping` that launches nothing

    Kept* on_gpu() const { return static_cast<Kept*>(values_.data(0)); }
    const double* number(int n, bool is_before) const {
        return static_cast<const double*>(values_.data(0)) + (is_before ? most : 0) + n;
    }

  private:
    void launch(const DeviceSumArguments& arguments, const char* entry);

    std::shared_ptr<Session> session_;
    KernelFunctions& kernels_;
    CudaStorage values_;  // a Kept
};

inline const CudaDeviceSums& on_gpu(const DeviceSums& sums) {
    return static_cast<const CudaDeviceSums&>(sums);
}

}  // namespace solenoid::cuda
