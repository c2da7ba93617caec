#include "device/cuda/device_sums.hpp"

#include <algorithm>

#include "device/cuda/embedded.hpp"

namespace solenoid::cuda {

static_assert(sizeof(Kept) == 2 * DeviceSums::most * sizeof(double));

CudaDeviceSums::CudaDeviceSums(std::shared_ptr<Session> session, KernelFunctions& kernels)
    : session_(std::move(session)),
      kernels_(kernels),
      values_(ElementType::float64, 2 * most, 1, session_) {}

void CudaDeviceSums::launch(const DeviceSumArguments& arguments, const char* entry) {
    session_->make_current();
    session_->launch(kernels_.of_text(sums_ptx, entry), 1, &arguments);
}

void CudaDeviceSums::set(const std::array<double, most>& values) {
    DeviceSumArguments arguments{on_gpu(), {}};
    std::ranges::copy(values, arguments.values);
    launch(arguments, "set_sums");
}

void CudaDeviceSums::clear() { launch({on_gpu(), {}}, "clear_sums"); }

}  // namespace solenoid::cuda
