#include "solvers/multigrid/largest_eigenvalue.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/threads.hpp"
#include "parallel/fill_ghosts.hpp"

namespace solenoid {
namespace {

constexpr int steps = 10;
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

}  // namespace

double largest_eigenvalue(const Communicator& comm, const ParallelMatrix& a, const HaloPlan& plan, const std::vector<double>& diagonal) {
    const Index n = static_cast<Index>(diagonal.size());
    const double bound = comm.max(row_bound(a.rows, diagonal));
    std::vector<double> scale(n, 0.0), v(n), before(n, 0.0), scaled(a.all_columns(comm)), w(n);
    for_each(0, n, [&](Index i) {
        if (diagonal[i] > 0) scale[i] = 1 / std::sqrt(diagonal[i]);
        v[i] = scale[i] > 0 ? scattered(a.global(comm, i)) : 0;
    });
    const auto dot = [&](const std::vector<double>& x, const std::vector<double>& y) { return comm.sum(sum_of_each(0, n, [&](Index i) { return x[i] * y[i]; })); };
    double norm = std::sqrt(dot(v, v)), largest = 0;
    Eigen::VectorXd main(steps), side(steps);
    for (int step = 0; step < steps && norm > 0; ++step) {
        for_each(0, n, [&](Index i) { scaled[i] = scale[i] * (v[i] /= norm); });
        fill_ghosts(comm, plan, scaled);
        for_each(0, n, [&](Index i) {
            double sum = 0;
            for (Index k = a.rows.rows.start[i]; k < a.rows.rows.start[i + 1]; ++k) sum += a.rows.entries[k] * scaled[a.rows.rows.index[k]];
            w[i] = scale[i] * sum - (step ? norm * before[i] : 0);
        });
        main[step] = dot(v, w);
        for_each(0, n, [&](Index i) { w[i] -= main[step] * v[i]; });
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
        ritz.computeFromTridiagonal(main.head(step + 1), side.head(step), Eigen::EigenvaluesOnly);
        largest = ritz.eigenvalues().maxCoeff();
        if (margin * largest >= bound) return bound;  // it only grows
        norm = std::sqrt(dot(w, w));
        side[step] = norm;
        if (norm <= 1e-12 * largest) break;
        std::swap(before, v);
        std::swap(v, w);
    }
    return largest > 0 ? std::min(margin * largest, bound) : bound;
}

}  // namespace solenoid
