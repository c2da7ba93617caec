// The CUDA device: fields in an NVIDIA GPU's memory, a kernel is PTX that the driver compiles.
#pragma once

#include "device/cuda/session.hpp"
#include "device/device_family.hpp"

namespace solenoid {

std::unique_ptr<Device> make_cuda_device(std::shared_ptr<cuda::Session> session);

namespace cuda {

// Whether the build had a clang, so that there are kernels.
bool has_kernels();

// The family `cuda` (device/choice).
DeviceChoice choose_cuda(const DeviceRequest& request);
DeviceChoice choose_automatically(const DeviceRequest& request);
std::vector<std::string> describe_gpus();
bool is_there();

}  // namespace cuda
}  // namespace solenoid
