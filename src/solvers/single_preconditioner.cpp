#include "solvers/single_preconditioner.hpp"

#include "device/kernels.hpp"

namespace solenoid {

SinglePreconditioner::SinglePreconditioner(Device& device, Range range, Index size, std::unique_ptr<Preconditioner<float>> rounded)
    : device_(device), range_(range), rounded_(std::move(rounded)), r_(device.buffer<float>(size)), z_(device.buffer<float>(size)) {}

double SinglePreconditioner::apply(const Buffer<double>& r, Buffer<double>& z) {
    kernels::ToSingle<double>{r, r_, 1.0}.run(device_, range_);
    rounded_->apply(r_, z_);
    kernels::ToDouble<double>{z_, z}.run(device_, range_);
    return kernels::Dot<double>{r, z}.run(device_, range_).xy;
}

}  // namespace solenoid
