// A Chebyshev smoother on either side of a coarse correction. Polynomials of D^-1 A of the fourth kind with optimal
// weights: they need the largest eigenvalue alone (Lottes 2023).
#pragma once

#include <array>

#include "parallel/halo.hpp"
#include "solvers/device_rows.hpp"

namespace solenoid {

// The matrix that is smoothed, on the host.
struct SmoothedMatrix {
    const HostMatrix& matrix;
    const std::vector<double>& inverse_diagonal;  // one a row; 0: the value stays 0
    double largest_eigenvalue;                    // of D^-1 A
    Index size;                                   // of vectors, ghosts included
};

// Usage, each on the result of the last: before, defect, a correction added to x(), after.
template <class Real>
class Smoother {
  public:
    // steps: 1 to 3. halo: of the vectors' ghosts; must outlive this.
    Smoother(Device& device, Halo<Real>& halo, const SmoothedMatrix& host, int steps);

    void before(const Buffer<Real>& b);            // x = p(A) b, from zero
    Buffer<Real>& defect(const Buffer<Real>& b);   // b - A x; its ghosts are not filled
    Buffer<Real>& x() { return x_[now_]; }
    Buffer<Real>& after(const Buffer<Real>& b, Buffer<Real>* result);  // smoothed anew, in x() or in result

  private:
    void step(const Buffer<Real>& b, int k, const Buffer<Real>* before, Buffer<Real>& out);
    Buffer<Real>& next() { return x_[(now_ + 1) % 3]; }
    Buffer<Real>& last() { return x_[(now_ + 2) % 3]; }

    Device& device_;
    Halo<Real>& halo_;
    int steps_;
    Range rows_;
    std::array<double, 3> keep_{}, gain_{};  // x + keep (x - x_before) + gain D^-1 (b - A x)
    DeviceRows<Real> matrix_;
    Buffer<Real> inverse_diagonal_;
    std::array<Buffer<Real>, 3> x_;  // the iterate, room for the next, and the one before
    int now_ = 0;
};

}  // namespace solenoid
