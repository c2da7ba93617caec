// Sums over the entities of the whole mesh, each counted on the rank that owns it.
#pragma once

#include "device/expression.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

template <class Real>
struct Pair {
    Pair(const Buffer<Real>& a, const Buffer<Real>& b) : a(a), b(b) {}
    const Buffer<Real>& a;
    const Buffer<Real>& b;
};

class InnerProduct {
  public:
    InnerProduct(const Communicator& comm, Device& device, Range owned_range)
        : comm_(comm), device_(&device), owned_(owned_range) {}

    // a . b, accumulated in double.
    template <class Real>
    double operator()(const Buffer<Real>& a, const Buffer<Real>& b) const {
        return comm_.sum(over().dot(comm_, a, b));
    }
    // Several products for one reduction over the ranks: auto [rz, rr] = dot.many(Pair{r, z},
    // Pair{r, r});
    template <class... Real>
    std::array<double, sizeof...(Real)> many(const Pair<Real>&... pairs) const {
        std::array<double, sizeof...(Real)> products{over().dot(comm_, pairs.a, pairs.b)...};
        comm_.sum(std::span<double>(products));
        return products;
    }
    template <class Real>
    double sum(const Buffer<Real>& x) const {
        return comm_.sum(over().sum(comm_, x));
    }
    template <class Real>
    double min(const Buffer<Real>& x) const {
        return extrema(x)[0];
    }
    template <class Real>
    double max(const Buffer<Real>& x) const {
        return extrema(x)[1];
    }
    // least, greatest
    template <class Real>
    std::array<double, 2> extrema(const Buffer<Real>& x) const {
        auto bounds = over().reduce(least(x), greatest(x));
        bounds[1] = -bounds[1];  // one reduction for both
        comm_.min(std::span<double>(bounds));
        return {bounds[0], -bounds[1]};
    }

  private:
    Over over() const { return {*device_, owned_}; }

    Communicator comm_;
    Device* device_;
    Range owned_;
};

}  // namespace solenoid
