// Generalized conjugate residuals (Eisenstat, Elman & Schultz 1983; Saad, Iterative Methods,
// section 6.9), truncated to the last directions: A x = b with a nonsymmetric A. Each iteration
// minimizes ||b - A x|| over the kept directions and the residual, so that it never grows.
#pragma once

#include <vector>

#include "device/expression.hpp"
#include "parallel/agreed_sums.hpp"
#include "solvers/krylov/linear_operator.hpp"

namespace solenoid {

template <class Real>
class Gcr {
  public:
    // weight: w of the inner product sum w x . y, one a marked entity. depth: how many directions
    // are kept, two vectors each. References must outlive this.
    Gcr(const Communicator& comm, LinearOperator<Real>& matrix, const Buffer<Real>& weight,
        int depth = 4);

    // x: a guess; r: b - A x, of norm `left`; both are updated. Until ||r|| <= target, or
    // `iterations`, counted on, are `most`, or ||r|| is not finite. Returns ||r||. Collective.
    double iterate(Buffer<Real>& x, Buffer<Real>& r, double left, double target, int most,
                   int& iterations);
    double norm(const Buffer<Real>& x);  // sqrt(sum w x . x). Collective.

  private:
    double dot(const Buffer<Real>& x, const Buffer<Real>& y);

    AgreedSums sums_;
    LinearOperator<Real>& matrix_;
    const Buffer<Real>& weight_;
    const Over over_;  // the marked entities
    const int depth_;
    std::vector<Buffer<Real>> p_, ap_;  // directions and A p, which are orthogonal
    std::vector<double> square_;        // A p . A p
};

// A = 1 - L of an affine map G(x) = L x + g, whose fixed point solves A x = g with the residual
// r = G(x) - x. An application is one of G:
//     A d = (x + d - G(x + d)) + r.
template <class Real>
class FixedPointOperator final : public LinearOperator<Real> {
  public:
    using Map = std::function<const Buffer<Real>&(Buffer<Real>& x)>;  // G(x). Collective.
    FixedPointOperator(Device& device, Range range, Index size, int columns);

    // x and r = G(x) - x may change together between applications; they must outlive these.
    void set(const Buffer<Real>& x, const Buffer<Real>& r, Map map);

    Device& device() const override { return device_; }
    Range range() const override { return range_; }
    Index size() const override { return probe_.size(); }
    int columns() const override { return probe_.columns(); }
    void apply(Buffer<Real>& d, Buffer<Real>& y) override;

  private:
    Device& device_;
    const Range range_;
    const Buffer<Real>*x_ = nullptr, *r_ = nullptr;
    Map map_;
    Buffer<Real> probe_;
};

}  // namespace solenoid
