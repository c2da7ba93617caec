#include "solvers/krylov/cg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "device/expression.hpp"

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
    : comm_(comm), device_(device), matrix_(matrix), recurrence_(comm, device, matrix) {}

template <class Real>
void ConjugateGradients<Real>::prepare(Preconditioner<Real>& preconditioner) {
    Preconditioner<float>* rounded = preconditioner.rounded();
    if (!rounded) {
        recurrence_.allocate(preconditioner);
        return;
    }
    LinearOperator<float>& matrix = matrix_.rounded();
    if (!rounded_) rounded_.emplace(comm_, device_, matrix);
    rounded_->allocate(*rounded);
}

template <class Real>
double ConjugateGradients<Real>::true_residual(const Buffer<Real>& b, Buffer<Real>& x) {
    return std::sqrt(comm_.sum(matrix_.residual(b, x, recurrence_.residual())));
}

// A descent in single precision from the true residual, whose norm is `residual`: it is scaled to one, so that nothing
// under- or overflows.
template <class Real>
bool ConjugateGradients<Real>::descend_rounded(Preconditioner<float>& preconditioner, Buffer<Real>& x, double residual, double target,
                                               bool goes_on, int most, int& iterations) {
    constexpr double drop = 1e-3;    // below, rounding is too large a part of the residual
    constexpr double margin = 0.98;  // for what the recurrence's residual is off at the end
    Over(device_, matrix_.range())[rounded_->residual()] = 1 / residual * recurrence_.residual();
    return rounded_->descend(preconditioner, x, {std::max(drop, margin * target / residual), most, goes_on, residual}, iterations);
}

template <class Real>
SolveReport ConjugateGradients<Real>::solve(const Buffer<Real>& inverse_diagonal, const Buffer<Real>& b, Buffer<Real>& x,
                                            const CgSettings& settings) {
    DiagonalPreconditioner<Real> jacobi(inverse_diagonal);
    return solve(jacobi, b, x, settings);
}

// The recurrence's residual drifts from the true one: each time it meets the target the true residual is computed, and
// the iteration starts again from it until that meets the target too, or no longer falls. So it does where p . A p is
// not positive: in a singular system that is what rounding has put into the null space, and a new start sheds it. In
// single precision the true residual replaces the recurrence's before rounding is a large part of it, and the directions
// go on (van der Vorst & Ye 2000; Clark et al. 2010); where that gets nowhere, double precision takes over.
template <class Real>
SolveReport ConjugateGradients<Real>::solve(Preconditioner<Real>& preconditioner, const Buffer<Real>& b, Buffer<Real>& x,
                                            const CgSettings& settings) {
    SolveReport report{.in_double = std::is_same_v<Real, double>};
    const double b_norm = std::sqrt(comm_.sum(Over(device_, matrix_.range()).dot(b, b)));
    if (!std::isfinite(b_norm)) {
        report.outcome = SolveOutcome::broken_down;
        return report;
    }
    if (b_norm <= settings.rounding) {
        Over(device_, {0, matrix_.size()})[x] = 0;
        return report;
    }
    prepare(preconditioner);
    const double target = std::max(settings.tolerance * b_norm, settings.rounding), size = target / settings.tolerance;
    double residual = true_residual(b, x);
    Preconditioner<float>* rounded = preconditioner.rounded();
    bool goes_on = false;
    for (int slow_restarts = 0;;) {
        report.residual = residual / size;
        report.outcome = SolveOutcome::converged;
        if (residual <= target) return report;
        report.outcome = SolveOutcome::out_of_iterations;
        if (report.iterations >= settings.max_iterations) return report;
        report.outcome = SolveOutcome::broken_down;
        if (!std::isfinite(residual)) return report;
        const bool is_whole =
            rounded ? descend_rounded(*rounded, x, residual, target, goes_on, settings.max_iterations, report.iterations)
                    : recurrence_.descend(preconditioner, x, {target, settings.max_iterations, goes_on}, report.iterations);
        const double before = residual;
        residual = true_residual(b, x);
        if (!std::isfinite(residual)) return report;
        if (is_whole) report.outcome = SolveOutcome::stagnated;
        const bool is_slow = residual > 0.5 * before;
        goes_on = rounded && is_whole && !is_slow;
        if (is_slow && rounded) {
            rounded = nullptr;
        } else if (is_slow && ++slow_restarts == 3 && residual > target) {
            report.residual = residual / size;
            return report;
        }
    }
}

template class ConjugateGradients<float>;
template class ConjugateGradients<double>;

}  // namespace solenoid
