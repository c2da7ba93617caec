// Sums over the entities of the whole mesh. Every entity counts once: on the rank where its marker
// is 1, which numbers it in [0, owned).
#pragma once

#include "device/device.hpp"
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
        return comm_.sum(local(a, b));
    }
    // Several products for one reduction over the ranks: auto [rz, rr] = dot.many(Pair{r, z},
    // Pair{r, r});
    template <class... Real>
    std::array<double, sizeof...(Real)> many(const Pair<Real>&... pairs) const {
        std::array<double, sizeof...(Real)> products{local(pairs.a, pairs.b)...};
        comm_.sum(std::span<double>(products));
        return products;
    }
    template <class Real>
    double sum(const Buffer<Real>& x) const {
        return comm_.sum(local_sum(x));
    }
    template <class Real>
    double min(const Buffer<Real>& x) const {
        return extrema(x)[0];
    }
    template <class Real>
    double max(const Buffer<Real>& x) const {
        return extrema(x)[1];
    }
    template <class Real>
    std::array<double, 2> extrema(const Buffer<Real>& x) const;  // least, greatest

    const Communicator& communicator() const { return comm_; }
    Range owned_range() const { return owned_; }

  private:
    // Of this rank's marked entities. Defined for float and double.
    template <class Real>
    double local(const Buffer<Real>& a, const Buffer<Real>& b) const;
    template <class Real>
    double local_sum(const Buffer<Real>& x) const;

    Communicator comm_;
    Device* device_;
    Range owned_;
};

}  // namespace solenoid
