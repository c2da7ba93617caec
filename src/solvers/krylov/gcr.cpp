#include "solvers/krylov/gcr.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {

template <class Real>
Gcr<Real>::Gcr(const Communicator& comm, LinearOperator<Real>& matrix, const Buffer<Real>& weight,
               int depth)
    : sums_(comm),
      matrix_(matrix),
      weight_(weight),
      over_(matrix.device(), matrix.range()),
      depth_(depth),
      square_(depth, 0.0) {
    for (int k = 0; k < depth; ++k) {
        p_.push_back(matrix.vector());
        ap_.push_back(matrix.vector());
    }
}

template <class Real>
double Gcr<Real>::dot(const Buffer<Real>& x, const Buffer<Real>& y) {
    return sums_.sum(over_.dot(sums_.communicator(), weight_, solenoid::dot(x, y)));
}

template <class Real>
double Gcr<Real>::norm(const Buffer<Real>& x) {
    return std::sqrt(dot(x, x));
}

template <class Real>
double Gcr<Real>::iterate(Buffer<Real>& x, Buffer<Real>& r, double left, double target, int most,
                          int& iterations) {
    for (int count = 1; left > target && iterations < most; ++count) {
        const int newest = (count - 1) % depth_;  // in place of the oldest
        Buffer<Real>&p = p_[newest], &ap = ap_[newest];
        // p = r - sum beta_k p_k, with A p orthogonal to all A p_k kept
        matrix_.device().copy(r, p);
        matrix_.apply(p, ap);
        for (int k = 0; k < std::min(count, depth_); ++k) {
            if (k == newest || square_[k] == 0) continue;
            const double beta = dot(ap_[k], ap) / square_[k];
            over_[p] -= beta * p_[k];
            over_[ap] -= beta * ap_[k];
        }
        square_[newest] = dot(ap, ap);
        const double alpha = square_[newest] > 0 ? dot(ap, r) / square_[newest] : 0;
        over_[x] += alpha * p;
        over_[r] -= alpha * ap;
        left = norm(r);
        ++iterations;
        if (!std::isfinite(left)) break;
    }
    return left;
}

template <class Real>
FixedPointOperator<Real>::FixedPointOperator(Device& device, Range range, Index size, int columns)
    : device_(device), range_(range), probe_(device.buffer<Real>(size, columns)) {}

template <class Real>
void FixedPointOperator<Real>::set(const Buffer<Real>& x, const Buffer<Real>& r, Map map) {
    x_ = &x;
    r_ = &r;
    map_ = std::move(map);
}

template <class Real>
void FixedPointOperator<Real>::apply(Buffer<Real>& d, Buffer<Real>& y) {
    device_.copy(*x_, probe_);
    const Over over(device_, range_);
    over[probe_] += d;
    const Buffer<Real>& image = map_(probe_);
    over[y] = (probe_ - image) + *r_;
}

template class Gcr<float>;
template class Gcr<double>;
template class FixedPointOperator<float>;
template class FixedPointOperator<double>;

}  // namespace solenoid
