// A Chebyshev smoother on either side of a coarse correction. Polynomials of D^-1 A of the fourth kind with optimal
// weights: they need the largest eigenvalue alone (Lottes 2023).
#pragma once

#include <array>

#include "parallel/halo.hpp"
#include "solvers/matrix/cut_rows.hpp"

namespace solenoid {

// The matrix that is smoothed, on the host.
struct SmoothedMatrix {
    const HostMatrix& matrix;
    const std::vector<double>& diagonal;  // one a row; 0: the value stays 0
    double largest_eigenvalue;            // of D^-1 A
    Index size;                           // of vectors, ghosts included
};

// Usage, each on the result of the last, for one b: before, defect, a correction added to x(), after or finish.
template <class Real>
class Smoother {
  public:
    static constexpr int most_steps = 4;

    // steps: 1 to most_steps. halo: of the vectors' ghosts; must outlive this.
    Smoother(Device& device, Halo<Real>& halo, const SmoothedMatrix& host, int steps);

    void before(const Buffer<Real>& b);  // x = p(A) b, from zero
    Buffer<Real>& defect();              // b - A x; its ghosts are not filled
    Buffer<Real>& x() { return x_[now_]; }
    void after();                        // smooths x() anew
    double finish(Buffer<Real>& z);      // does so into z; returns this rank's b . z

  private:
    template <class Run>
    double pass(const Run& run);
    void step(int k, int start);
    Buffer<Real>& other() { return x_[1 - now_]; }

    Device& device_;
    Halo<Real>& halo_;
    int steps_;
    Index rows_, inside_ = 0;                       // the first ones are computed while ghosts travel
    std::array<Real, most_steps> keep_{}, gain_{};  // x + keep (x - x_before) + gain D^-1 (b - A x)
    Buffer<float> diagonal_;                        // A, rounded: its diagonal D
    CutRows<Real, Reduced<Real>> couplings_;        // and the rest
    const Buffer<Real>* b_ = nullptr;               // of the solve under way
    std::array<Buffer<Real>, 2> x_;                 // the iterate, and the one before or room for the defect
    int now_ = 0;
};

}  // namespace solenoid
