#include "parallel/inner_product.hpp"

#include <limits>

#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
double InnerProduct::local(const Buffer<Real>& a, const Buffer<Real>& b) const {
    return marked_.size() ? kernels::Dot<Real>{.x = a, .y = b}.run(*device_, marked_).xy : 0;
}

template <class Real>
double InnerProduct::local_sum(const Buffer<Real>& x) const {
    return marked_.size() ? kernels::Sum<Real>{.x = x}.run(*device_, marked_).total : 0;
}

template <class Real>
std::array<double, 2> InnerProduct::extrema(const Buffer<Real>& x) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::array<double, 2> bounds{infinity, infinity};  // least, minus the greatest: one reduction for both
    if (marked_.size()) {
        const auto local = kernels::Extrema<Real>{.x = x}.run(*device_, marked_);
        bounds = {local.least, -local.greatest};
    }
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
