#include "solvers/multigrid/largest_eigenvalue.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "core/threads.hpp"
#include "parallel/fill_ghosts.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

constexpr int steps = 10;
// till it settles; of so many steps one looks whether it has
constexpr int most_steps = 200, readings = 5;
constexpr double margin = 1.1;

double row_bound(const HostMatrix& a, const std::vector<double>& diagonal) {
    return largest_of_each(0, diagonal.size(), [&](Index i) {
        double sum = 0;
        for (Index k = a.rows.start[i]; k < a.rows.start[i + 1]; ++k) sum += std::abs(a.entries[k]);
        return diagonal[i] > 0 ? sum / diagonal[i] : 0;
    });
}

// A value of its own for each number, in [-1, 1): the start must have a part of every eigenvector.
double scattered(GlobalIndex number) {
    std::uint64_t h = static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15ull + 0x7F4A7C15ull;
    h = (h ^ (h >> 31)) * 0xBF58476D1CE4E5B9ull;
    return static_cast<double>((h ^ (h >> 29)) >> 11) / 4503599627370496.0 - 1;
}

// Lanczos' recurrence on D^-1/2 A D^-1/2 (Golub & Van Loan 2013, "Matrix computations",
// section 10.1).
class Lanczos {
  public:
    // start: of the eigenvectors' parts that it has; rows without a diagonal are left out.
    Lanczos(const Communicator& comm, const ParallelMatrix& a, const HaloPlan& plan,
            const std::vector<double>& diagonal, std::vector<double> start)
        : comm_(comm),
          a_(a),
          plan_(plan),
          n_(static_cast<Index>(diagonal.size())),
          scale_(n_, 0.0),
          v_(std::move(start)),
          before_(n_),
          scaled_(a.all_columns(comm)),
          w_(n_) {
        for_each(0, n_, [&](Index i) {
            if (diagonal[i] > 0) scale_[i] = 1 / std::sqrt(diagonal[i]);
            if (scale_[i] == 0) v_[i] = 0;
        });
        norm_ = std::sqrt(dot(v_, v_));
    }

    // False, and nothing is done, where the vectors so far hold all that the start has a part of.
    bool step() {
        if (!(norm_ > 1e-12 * largest_)) return false;
        for_each(0, n_, [&](Index i) { scaled_[i] = scale_[i] * (v_[i] /= norm_); });
        fill_ghosts(comm_, plan_, scaled_);
        const bool is_first = main_.empty();
        for_each(0, n_, [&](Index i) {
            double sum = 0;
            for (Index k = a_.rows.rows.start[i]; k < a_.rows.rows.start[i + 1]; ++k)
                sum += a_.rows.entries[k] * scaled_[a_.rows.rows.index[k]];
            w_[i] = scale_[i] * sum - (is_first ? 0 : norm_ * before_[i]);
        });
        if (!is_first) side_.push_back(norm_);
        main_.push_back(dot(v_, w_));
        for_each(0, n_, [&](Index i) { w_[i] -= main_.back() * v_[i]; });
        norm_ = std::sqrt(dot(w_, w_));
        std::swap(before_, v_);
        std::swap(v_, w_);
        return true;
    }

    // The largest Ritz value: from below. After a step at least.
    double largest() { return solved(Eigen::EigenvaluesOnly).eigenvalues()[size() - 1]; }
    // And how near to it an eigenvalue is, by the residual of its Ritz vector.
    std::pair<double, double> largest_and_distance() {
        const auto ritz = solved(Eigen::ComputeEigenvectors);
        return {ritz.eigenvalues()[size() - 1],
                norm_ * std::abs(ritz.eigenvectors()(size() - 1, size() - 1))};
    }

  private:
    double dot(const std::vector<double>& x, const std::vector<double>& y) const {
        return sum_over_ranks(comm_, n_, [&](Index i) { return x[i] * y[i]; });
    }
    Eigen::Index size() const { return static_cast<Eigen::Index>(main_.size()); }
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(int what) {
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
        ritz.computeFromTridiagonal(Eigen::Map<const Eigen::VectorXd>(main_.data(), size()),
                                    Eigen::Map<const Eigen::VectorXd>(side_.data(), size() - 1),
                                    what);
        largest_ = ritz.eigenvalues()[size() - 1];
        return ritz;
    }

    const Communicator& comm_;
    const ParallelMatrix& a_;
    const HaloPlan& plan_;
    const Index n_;
    std::vector<double> scale_, v_, before_, scaled_, w_;
    std::vector<double> main_, side_;  // of the tridiagonal matrix
    double norm_ = 0, largest_ = 0;    // of v; the Ritz value found last
};

double bound(const Communicator& comm, const ParallelMatrix& a,
             const std::vector<double>& diagonal) {
    return comm.max(row_bound(a.rows, diagonal));
}

}  // namespace

double largest_eigenvalue(const Communicator& comm, const ParallelMatrix& a, const HaloPlan& plan,
                          const std::vector<double>& diagonal,
                          const std::vector<GlobalIndex>* names) {
    std::vector<double> start(diagonal.size());
    for_each(0, start.size(),
             [&](Index i) { start[i] = scattered(names ? (*names)[i] : a.global(comm, i)); });
    const double most = bound(comm, a, diagonal);
    Lanczos lanczos(comm, a, plan, diagonal, std::move(start));
    double largest = 0;
    for (int step = 0; step < steps && lanczos.step(); ++step)
        if (largest = lanczos.largest(); margin * largest >= most) return most;  // it only grows
    return largest > 0 ? std::min(margin * largest, most) : most;
}

double settled_largest_eigenvalue(const Communicator& comm, const ParallelMatrix& a,
                                  const HaloPlan& plan, const std::vector<double>& diagonal,
                                  const std::vector<double>& start, double tolerance) {
    const double most = bound(comm, a, diagonal);
    Lanczos lanczos(comm, a, plan, diagonal, start);
    double largest = 0, distance = 0;
    for (int step = 1; step <= most_steps; ++step) {
        const bool goes_on = lanczos.step();
        if (goes_on && step % readings != 0) continue;
        if (goes_on || step > 1) std::tie(largest, distance) = lanczos.largest_and_distance();
        if (!goes_on || distance <= tolerance * largest) break;
    }
    return largest > 0 ? std::min(largest + distance, most) : most;
}

}  // namespace solenoid
