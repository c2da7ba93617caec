#include "solvers/cg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "device/kernels.hpp"

namespace solenoid {

std::string SolveReport::explanation(const std::string& solver) const {
    const std::string table = solver.empty() ? "" : "solver." + solver + ".", tolerance = solver.empty() ? "the tolerance" : table + "tolerance";
    switch (outcome) {
        case SolveOutcome::converged:
            return fmt::format("converged in {} iterations, residual {:.2e}", iterations, residual);
        case SolveOutcome::out_of_iterations:
            return fmt::format("not converged in {} iterations, residual {:.2e}: raise {}max_iterations or {}", iterations, residual, table, tolerance);
        case SolveOutcome::stagnated:
            return fmt::format("stagnated after {} iterations at the residual {:.2e}: rounding allows no smaller one; raise {}{}", iterations,
                               residual, tolerance, in_double ? "" : ", or compute in double precision");
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

// r . M^-1 r, with z = M^-1 r where M is no diagonal.
template <class Real>
double ConjugateGradients<Real>::precondition(Preconditioner<Real>& preconditioner) {
    const Range range = matrix_.range();
    if (const auto* diagonal = preconditioner.inverse_diagonal())
        return comm_.sum(kernels::WeightedDot<Real>{*diagonal, r_, r_}.run(device_, range).wxy);
    if (!z_) z_ = device_.buffer<Real>(matrix_.size());
    return comm_.sum(preconditioner.apply(r_, z_));
}

// p = M^-1 r + beta p.
template <class Real>
void ConjugateGradients<Real>::turn(Preconditioner<Real>& preconditioner, double beta) {
    if (const auto* diagonal = preconditioner.inverse_diagonal())
        kernels::CgDirection<Real>{*diagonal, r_, p_, static_cast<Real>(beta)}.run(device_, matrix_.range());
    else
        kernels::Axpby<Real>{z_, p_, Real(1), static_cast<Real>(beta)}.run(device_, matrix_.range());
}

// x += alpha p, r -= alpha q; returns r . r and, unless that meets the target, r . M^-1 r.
template <class Real>
std::array<double, 2> ConjugateGradients<Real>::advance(Preconditioner<Real>& preconditioner, Buffer<Real>& x, double alpha, double target) {
    const auto step = static_cast<Real>(alpha);
    if (const auto* diagonal = preconditioner.inverse_diagonal()) {
        const auto local = kernels::CgUpdate<Real>{p_, q_, *diagonal, x, r_, step}.run(device_, matrix_.range());
        std::array<double, 2> sums{local.rr, local.rz};
        comm_.sum(sums);
        return sums;
    }
    const double rr = comm_.sum(kernels::CgStep<Real>{p_, q_, x, r_, step}.run(device_, matrix_.range()).rr);
    return {rr, std::sqrt(rr) > target ? precondition(preconditioner) : 0};
}

// Iterates from the residual in r_ until the recurrence's residual is below the target. False on a breakdown.
template <class Real>
bool ConjugateGradients<Real>::iterate(Preconditioner<Real>& preconditioner, Buffer<Real>& x, double target, const CgSettings& settings,
                                       SolveReport& report) {
    double beta = 0, rz = precondition(preconditioner);
    kernels::Fill<Real>{p_, Real(0)}.run(device_, matrix_.range());
    while (report.iterations < settings.max_iterations) {
        turn(preconditioner, beta);
        const double pq = comm_.sum(matrix_.apply(p_, q_));
        if (!(pq > 0) || !std::isfinite(pq)) return false;
        const auto [rr, rz_new] = advance(preconditioner, x, rz / pq, target);
        ++report.iterations;
        if (!std::isfinite(rr)) return false;
        if (std::sqrt(rr) <= target) return true;
        beta = rz_new / rz;
        rz = rz_new;
    }
    return true;
}

template <class Real>
SolveReport ConjugateGradients<Real>::solve(const Buffer<Real>& inverse_diagonal, const Buffer<Real>& b, Buffer<Real>& x,
                                            const CgSettings& settings) {
    DiagonalPreconditioner<Real> jacobi(inverse_diagonal);
    return solve(jacobi, b, x, settings);
}

// The recurrence's residual drifts from the true one: each time it meets the target the true residual is computed, and
// the iteration starts again from it until that meets the target too, or no longer falls. So it does where p . A p is
// not positive: in a singular system that is what rounding has put into the null space, and a new start sheds it.
template <class Real>
SolveReport ConjugateGradients<Real>::solve(Preconditioner<Real>& preconditioner, const Buffer<Real>& b, Buffer<Real>& x,
                                            const CgSettings& settings) {
    SolveReport report{.in_double = std::is_same_v<Real, double>};
    const double b_norm = std::sqrt(comm_.sum(kernels::Dot<Real>{b, b}.run(device_, matrix_.range()).xy));
    if (b_norm == 0) {
        kernels::Fill<Real>{x, Real(0)}.run(device_, {0, matrix_.size()});
        return report;
    }
    if (!std::isfinite(b_norm)) {
        report.outcome = SolveOutcome::broken_down;
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
        if (!std::isfinite(residual)) return report;
        const bool is_whole = iterate(preconditioner, x, target, settings, report);
        const double before = residual;
        residual = true_residual(b, x);
        if (!std::isfinite(residual)) return report;
        if (is_whole) report.outcome = SolveOutcome::stagnated;
        if (residual > 0.5 * before && ++slow_restarts == 3 && residual > target) {
            report.residual = residual / b_norm;
            return report;
        }
    }
}

template class ConjugateGradients<float>;
template class ConjugateGradients<double>;

}  // namespace solenoid
