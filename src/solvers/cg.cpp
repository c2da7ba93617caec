#include "solvers/cg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "device/kernels.hpp"

namespace solenoid {

std::string SolveReport::explanation() const {
    switch (outcome) {
        case SolveOutcome::converged:
            return fmt::format("converged in {} iterations, residual {:.2e}", iterations, residual);
        case SolveOutcome::out_of_iterations:
            return fmt::format("not converged in {} iterations, residual {:.2e}: raise max_iterations or the tolerance", iterations, residual);
        case SolveOutcome::stagnated:
            return fmt::format("stagnated after {} iterations at the residual {:.2e}: rounding allows no smaller one; raise the tolerance{}", iterations,
                               residual, in_double ? "" : ", or compute in double precision");
        case SolveOutcome::broken_down:
            return fmt::format("broke down after {} iterations: a value is not finite or the matrix is not positive definite", iterations);
    }
    return "";
}

template <class Real>
ConjugateGradients<Real>::ConjugateGradients(const Communicator& comm, Device& device, LinearOperator<Real>& matrix)
    : comm_(comm),
      device_(device),
      matrix_(matrix),
      r_(device.buffer<Real>(matrix.size())),
      p_(device.buffer<Real>(matrix.size())),
      q_(device.buffer<Real>(matrix.size())) {}

template <class Real>
double ConjugateGradients<Real>::true_residual(const Buffer<Real>& b, Buffer<Real>& x) {
    return std::sqrt(comm_.sum(matrix_.residual(b, x, r_)));
}

// Iterates from the residual in r_ until the recurrence's residual is below the target. False on a breakdown.
template <class Real>
bool ConjugateGradients<Real>::iterate(const Buffer<Real>& inverse_diagonal, Buffer<Real>& x, double target,
                                       const CgSettings& settings, SolveReport& report) {
    const Range range = matrix_.range();
    double beta = 0, rz = comm_.sum(kernels::WeightedDot<Real>{inverse_diagonal, r_, r_}.run(device_, range).wxy);
    kernels::Fill<Real>{p_, Real(0)}.run(device_, range);
    while (report.iterations < settings.max_iterations) {
        kernels::CgDirection<Real>{inverse_diagonal, r_, p_, static_cast<Real>(beta)}.run(device_, range);
        const double pq = comm_.sum(matrix_.apply(p_, q_));
        if (!(pq > 0) || !std::isfinite(pq)) return false;
        const double alpha = rz / pq;
        const auto local = kernels::CgUpdate<Real>{p_, q_, inverse_diagonal, x, r_, static_cast<Real>(alpha)}.run(device_, range);
        std::array<double, 2> sums{local.rr, local.rz};
        comm_.sum(sums);
        ++report.iterations;
        if (!std::isfinite(sums[0])) return false;
        if (std::sqrt(sums[0]) <= target) return true;
        beta = sums[1] / rz;
        rz = sums[1];
    }
    return true;
}

// The recurrence's residual drifts from the true one: each time it meets the target the true residual is computed, and
// the iteration starts again from it until that meets the target too, or no longer falls.
template <class Real>
SolveReport ConjugateGradients<Real>::solve(const Buffer<Real>& inverse_diagonal, const Buffer<Real>& b, Buffer<Real>& x,
                                            const CgSettings& settings) {
    SolveReport report{.in_double = std::is_same_v<Real, double>};
    const double b_norm = std::sqrt(comm_.sum(kernels::Dot<Real>{b, b}.run(device_, matrix_.range()).xy));
    if (b_norm == 0) {
        kernels::Fill<Real>{x, Real(0)}.run(device_, {0, matrix_.size()});
        return report;
    }
    const double target = settings.tolerance * b_norm;
    double residual = true_residual(b, x);
    for (int slow_restarts = 0;;) {
        report.residual = residual / b_norm;
        report.outcome = SolveOutcome::converged;
        if (residual <= target) return report;
        report.outcome = SolveOutcome::out_of_iterations;
        if (report.iterations >= settings.max_iterations) return report;
        report.outcome = SolveOutcome::broken_down;
        if (!std::isfinite(residual) || !iterate(inverse_diagonal, x, target, settings, report)) return report;
        const double before = residual;
        residual = true_residual(b, x);
        report.outcome = SolveOutcome::stagnated;
        if (residual > 0.5 * before && ++slow_restarts == 3 && residual > target) {
            report.residual = residual / b_norm;
            return report;
        }
    }
}

template class ConjugateGradients<float>;
template class ConjugateGradients<double>;

}  // namespace solenoid
