// A Chebyshev smoother on either side of a coarse correction: polynomials of D^-1 A of the fourth
// kind with optimal weights, which need the largest eigenvalue alone (Lottes 2023).
#pragma once

#include <array>

#include "parallel/halo.hpp"
#include "solvers/matrix/split_rows.hpp"

namespace solenoid {

// The matrix that is smoothed, on the host.
struct SmoothedMatrix {
    const HostMatrix& matrix;
    const std::vector<double>& diagonal;  // one a row; 0: the value stays 0
    double largest_eigenvalue;            // of D^-1 A
    Index size;                           // of vectors, ghosts included
    // of ghosts, as in HierarchyLevel; steps + 1 of them or none
    std::vector<Index> layers = {};
};

// With layers of ghosts b is exchanged, and x after the correction, and nothing between. Usage,
// each on the result of the last, for one b: before, defect, a correction added to x(), after or
// finish.
template <class Real>
class Smoother {
  public:
    static constexpr int most_steps = 4;

    // steps: 1 to most_steps. halo: of the vectors' ghosts; must outlive this. columns: of the
    // vectors, as of the halo.
    Smoother(Device& device, Halo<Real>& halo, const SmoothedMatrix& host, int steps,
             int columns = 1);

    void before(const Buffer<Real>& b);  // x = p(A) b, from zero
    Buffer<Real>& defect();              // b - A x
    // of defect() and of x() after after(), those of the first layer: they are computed here
    bool fills_ghosts() const { return !layers_.empty(); }
    Buffer<Real>& x() { return x_[now_]; }
    void after();  // smooths x() anew
    // Does so into z, of one column; returns this rank's b . z. Collective.
    double finish(const SummingRanks& ranks, Buffer<Real>& z);

  private:
    Index end(int layers) const { return layers_.empty() ? rows_ : layers_[layers]; }
    SplitRange rows(Index end, bool exchanges) const;
    Gathered<Real> neighbours(bool exchanges);
    void step(int k, int start, int layers, bool exchanges = true);
    void start(const Buffer<Real>& b, Range range);
    void exchange_start(const Buffer<Real>& b);
    Buffer<Real>& other() { return x_[1 - now_]; }

    Device& device_;
    Halo<Real>& halo_;
    int steps_, columns_;
    // this rank's; the first ones are computed while ghosts travel
    Index rows_, inside_ = 0;
    std::vector<Index> layers_;                     // of ghosts, or none
    std::array<Real, most_steps> keep_{}, gain_{};  // x + keep (x - x_before) + gain D^-1 (b - A x)
    Buffer<float> diagonal_;                        // A, rounded: its diagonal D
    SplitRows<Real, Reduced<Real>> couplings_;      // and the rest
    const Buffer<Real>* b_ = nullptr;               // of the solve under way
    Buffer<Real> wide_b_;                           // with its ghosts, where there are layers
    // the iterate, and the one before or room for the defect
    std::array<Buffer<Real>, 2> x_;
    int now_ = 0;
};

}  // namespace solenoid
