#include "solvers/fixed_point.hpp"

#include <algorithm>
#include <cmath>

#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
FixedPointIteration<Real>::FixedPointIteration(const Communicator& comm, Device& device, Range range, Index size, int dimension,
                                               const Buffer<Real>& weight, int depth)
    : comm_(comm), device_(device), range_(range), d_(dimension), depth_(depth), weight_(weight), square_(depth, 0.0) {
    for (int k = 0; k < depth; ++k) {
        directions_.push_back(device.buffer<Real>(size, dimension));
        images_.push_back(device.buffer<Real>(size, dimension));
    }
    for (auto* field : {&x_, &residual_, &probe_}) *field = device.buffer<Real>(size, dimension);
}

template <class Real>
double FixedPointIteration<Real>::dot(const Buffer<Real>& x, const Buffer<Real>& y) const {
    return comm_.sum(range_.size() ? kernels::VectorDot<Real>{d_, weight_, x, y}.run(device_, range_).wxy : 0.0);
}

template <class Real>
void FixedPointIteration<Real>::axpby(double a, const Buffer<Real>& x, double b, Buffer<Real>& y) const {
    kernels::VectorAxpby<Real>{d_, x, y, static_cast<Real>(a), static_cast<Real>(b)}.run(device_, range_);
}

template <class Real>
double FixedPointIteration<Real>::norm(const Buffer<Real>& x) const {
    return std::sqrt(dot(x, x));
}

template <class Real>
double FixedPointIteration<Real>::distance(const Buffer<Real>& x, const Buffer<Real>& y) {
    device_.copy(x, residual_);
    axpby(-1, y, 1, residual_);
    return norm(residual_);
}

template <class Real>
void FixedPointIteration<Real>::set_probe() {
    device_.copy(x_, probe_);
    axpby(1, residual_, 1, probe_);
}

template <class Real>
double FixedPointIteration<Real>::start(const Buffer<Real>& x, const Buffer<Real>& g) {
    device_.copy(x, x_);
    device_.copy(g, residual_);
    axpby(-1, x, 1, residual_);
    count_ = 0;
    set_probe();
    return norm(residual_);
}

template <class Real>
double FixedPointIteration<Real>::advance(const Buffer<Real>& g) {
    const int newest = count_++ % depth_;
    Buffer<Real>&direction = directions_[newest], &image = images_[newest];
    device_.copy(residual_, direction);
    device_.copy(g, image);  // the residual at the probe, g - probe, less the residual at x
    axpby(-1, probe_, 1, image);
    axpby(-1, residual_, 1, image);
    for (int k = 0; k < std::min(count_, depth_); ++k) {
        if (k == newest || square_[k] == 0) continue;
        const double share = dot(images_[k], image) / square_[k];
        axpby(-share, directions_[k], 1, direction);
        axpby(-share, images_[k], 1, image);
    }
    square_[newest] = dot(image, image);
    const double step = square_[newest] > 0 ? -dot(image, residual_) / square_[newest] : 0;
    axpby(step, direction, 1, x_);
    axpby(step, image, 1, residual_);
    set_probe();
    return norm(residual_);
}

template class FixedPointIteration<float>;
template class FixedPointIteration<double>;

}  // namespace solenoid
