#include "device/cuda/kept_sums.hpp"

#include <algorithm>

#include "device/cuda/embedded.hpp"

namespace solenoid::cuda {

static_assert(sizeof(Kept) == 2 * KeptSums::most * sizeof(double));

CudaKeptSums::CudaKeptSums(std::shared_ptr<Session> session, KernelFunctions& kernels)
    : session_(std::move(session)), kernels_(kernels), values_(ElementType::float64, 2 * most, 1, session_) {}

void CudaKeptSums::launch(const KeptArguments& arguments, const char* entry) {
    session_->make_current();
    session_->launch(kernels_.of_text(sums_ptx, entry), 1, &arguments);
}

void CudaKeptSums::put(const std::array<double, most>& values) {
    KeptArguments arguments{on_gpu(), {}};
    std::ranges::copy(values, arguments.values);
    launch(arguments, "put_sums");
}

void CudaKeptSums::clear() { launch({on_gpu(), {}}, "clear_sums"); }

}  // namespace solenoid::cuda
