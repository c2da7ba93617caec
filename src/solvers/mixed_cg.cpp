#include "solvers/mixed_cg.hpp"

#include <algorithm>
#include <cmath>

#include "device/kernels.hpp"

namespace solenoid {

// How far one correction may bring the residual down: single precision stagnates below.
constexpr double least_tolerance = 2e-5;

MixedConjugateGradients::MixedConjugateGradients(const Communicator& comm, Device& device, LinearOperator<double>& matrix,
                                                 LinearOperator<float>& rounded)
    : comm_(comm),
      device_(device),
      matrix_(matrix),
      cg_(comm, device, rounded),
      r_(device.buffer<double>(matrix.size())),
      correction_(device.buffer<float>(matrix.size())) {}

double MixedConjugateGradients::residual_of(const Buffer<double>& b, Buffer<double>& x) {
    return std::sqrt(comm_.sum(matrix_.residual(b, x, r_)));
}

// x += the solution for the residual in r_, of norm `scale`, in single precision.
SolveReport MixedConjugateGradients::correct(Preconditioner<float>& preconditioner, Buffer<double>& x, double scale, const CgSettings& settings) {
    const Range marked = matrix_.range();
    kernels::ToSingle<double>{r_, cg_.residual(), 1 / scale}.run(device_, marked);
    kernels::Fill<float>{correction_, 0.0f}.run(device_, {0, matrix_.size()});
    const SolveReport report = cg_.reduce(preconditioner, correction_, 1, settings);
    if (report.outcome != SolveOutcome::broken_down) kernels::AddSingle<double>{correction_, x, scale}.run(device_, marked);
    return report;
}

SolveReport MixedConjugateGradients::solve(Preconditioner<float>& preconditioner, const Buffer<double>& b, Buffer<double>& x,
                                           const CgSettings& settings) {
    SolveReport report;
    const double b_norm = std::sqrt(comm_.sum(kernels::Dot<double>{b, b}.run(device_, matrix_.range()).xy));
    if (b_norm == 0) {
        kernels::Fill<double>{x, 0.0}.run(device_, {0, matrix_.size()});
        return report;
    }
    double residual = residual_of(b, x);
    for (int slow_corrections = 0;;) {
        report.residual = residual / b_norm;
        report.outcome = SolveOutcome::converged;
        if (report.residual <= settings.tolerance) return report;
        report.outcome = SolveOutcome::out_of_iterations;
        if (report.iterations >= settings.max_iterations) return report;
        report.outcome = SolveOutcome::broken_down;
        if (!std::isfinite(residual)) return report;
        // In equal shares, and a little beyond the target, so that rounding does not call for one more.
        const double whole = 0.7 * settings.tolerance / report.residual;
        const double corrections = std::ceil(std::log(whole) / std::log(least_tolerance));
        const double wanted = std::pow(whole, 1 / std::max(1.0, corrections));
        const SolveReport inner = correct(preconditioner, x, residual, {wanted, settings.max_iterations - report.iterations});
        report.iterations += inner.iterations;
        if (inner.outcome == SolveOutcome::broken_down) return report;
        const double before = residual;
        residual = residual_of(b, x);
        report.outcome = SolveOutcome::stagnated;
        if (residual > 0.5 * before && ++slow_corrections == 3 && residual > settings.tolerance * b_norm) {
            report.residual = residual / b_norm;
            return report;
        }
    }
}

}  // namespace solenoid
