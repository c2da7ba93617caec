#include "parallel/inner_product.hpp"

#include "device/expression.hpp"

namespace solenoid {

template <class Real>
double InnerProduct::local(const Buffer<Real>& a, const Buffer<Real>& b) const {
    return Over(*device_, owned_).dot(a, b);
}

template <class Real>
double InnerProduct::local_sum(const Buffer<Real>& x) const {
    return Over(*device_, owned_).sum(x);
}

template <class Real>
std::array<double, 2> InnerProduct::extrema(const Buffer<Real>& x) const {
    auto bounds = Over(*device_, owned_).reduce(least(x), greatest(x));
    bounds[1] = -bounds[1];  // one reduction for both
    comm_.min(std::span<double>(bounds));
    return {bounds[0], -bounds[1]};
}

template double InnerProduct::local(const Buffer<float>&, const Buffer<float>&) const;
template double InnerProduct::local(const Buffer<double>&, const Buffer<double>&) const;
template double InnerProduct::local_sum(const Buffer<float>&) const;
template double InnerProduct::local_sum(const Buffer<double>&) const;
template std::array<double, 2> InnerProduct::extrema(const Buffer<float>&) const;
template std::array<double, 2> InnerProduct::extrema(const Buffer<double>&) const;

}  // namespace solenoid
