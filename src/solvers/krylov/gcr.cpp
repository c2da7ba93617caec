#include "solvers/krylov/gcr.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {

template <class Real>
Gcr<Real>::Gcr(const Communicator& comm, Device& device, Range range, Index size, int dimension,
               const Buffer<Real>& weight, int depth)
    : sums_(comm),
      device_(device),
      over_(device, range),
      depth_(depth),
      weight_(weight),
      square_(depth, 0.0) {
    for (int k = 0; k < depth; ++k) {
        directions_.push_back(device.buffer<Real>(size, dimension));
        images_.push_back(device.buffer<Real>(size, dimension));
    }
    for (auto* field : {&x_, &residual_, &probe_}) *field = device.buffer<Real>(size, dimension);
}

template <class Real>
double Gcr<Real>::dot(const Buffer<Real>& x, const Buffer<Real>& y) {
    return sums_.sum(over_.dot(weight_, solenoid::dot(x, y)));
}

template <class Real>
double Gcr<Real>::norm(const Buffer<Real>& x) {
    return std::sqrt(dot(x, x));
}

template <class Real>
double Gcr<Real>::distance(const Buffer<Real>& x, const Buffer<Real>& y) {
    over_[residual_] = x - y;
    return norm(residual_);
}

template <class Real>
void Gcr<Real>::set_probe() {
    device_.copy(x_, probe_);
    over_[probe_] += residual_;
}

template <class Real>
double Gcr<Real>::start(const Buffer<Real>& x, const Buffer<Real>& g) {
    device_.copy(x, x_);
    over_[residual_] = g - x;
    count_ = 0;
    set_probe();
    return norm(residual_);
}

template <class Real>
double Gcr<Real>::advance(const Buffer<Real>& g) {
    const int newest = count_++ % depth_;
    Buffer<Real>&direction = directions_[newest], &image = images_[newest];
    device_.copy(residual_, direction);
    over_[image] = g - probe_ - residual_;  // the residual at the probe less the residual at x
    for (int k = 0; k < std::min(count_, depth_); ++k) {
        if (k == newest || square_[k] == 0) continue;
        const double share = dot(images_[k], image) / square_[k];
        over_[direction] -= share * directions_[k];
        over_[image] -= share * images_[k];
    }
    square_[newest] = dot(image, image);
    const double step = square_[newest] > 0 ? -dot(image, residual_) / square_[newest] : 0;
    over_[x_] += step * direction;
    over_[residual_] += step * image;
    set_probe();
    return norm(residual_);
}

template class Gcr<float>;
template class Gcr<double>;

}  // namespace solenoid
