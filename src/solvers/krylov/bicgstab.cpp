#include "solvers/krylov/bicgstab.hpp"

#include <cmath>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
Bicgstab<Real>::Bicgstab(const Communicator& comm, Device& device, FieldOperator<Real>& system) : comm_(comm), device_(device), system_(system) {
    for (auto* field : {&r_, &shadow_, &p_, &v_, &t_, &y_, &z_}) *field = system.field();
    columns_ = r_.columns();
}

template <class Real>
typename Bicgstab<Real>::Products Bicgstab<Real>::products(const Buffer<Real>& x, const Buffer<Real>& y) {
    std::array<double, 2> both = over().reduce(sum(dot(x, y)), sum(square(x)));
    comm_.sum(both);
    return {both[0], both[1]};
}

// r -= alpha v; returns r . r.
template <class Real>
double Bicgstab<Real>::half_step(double alpha) {
    const auto a = static_cast<Real>(alpha);
    if (columns_ == 1) return kernels::ScalarBicgstabHalfStep<Real>{.v = v_, .r = r_, .alpha = a}.run(device_, system_.range()).rr;
    return kernels::BicgstabHalfStep<Real>{.dimension = columns_, .v = v_, .r = r_, .alpha = a}.run(device_, system_.range()).rr;
}

// x += alpha y + omega z, r -= omega t; returns r . shadow and r . r.
template <class Real>
typename Bicgstab<Real>::Products Bicgstab<Real>::step(double alpha, double omega, Buffer<Real>& x) {
    const auto a = static_cast<Real>(alpha), o = static_cast<Real>(omega);
    const auto sums = [&](const auto& local) {
        std::array<double, 2> both{local.rs, local.rr};
        comm_.sum(both);
        return Products{both[0], both[1]};
    };
    if (columns_ == 1) return sums(kernels::ScalarBicgstabStep<Real>{.y = y_, .z = z_, .t = t_, .shadow = shadow_, .x = x, .r = r_, .alpha = a, .omega = o}.run(device_, system_.range()));
    return sums(kernels::BicgstabStep<Real>{.dimension = columns_, .y = y_, .z = z_, .t = t_, .shadow = shadow_, .x = x, .r = r_, .alpha = a, .omega = o}.run(device_, system_.range()));
}

// In r.
template <class Real>
double Bicgstab<Real>::true_residual(const Buffer<Real>& b, Buffer<Real>& x) {
    system_.apply(x, r_);
    over()[r_] = b - r_;
    return std::sqrt(products(r_, r_).xx);
}

// From the residual in r, which is the shadow too. False where the recurrence ends: r . shadow, v . shadow or t . r is zero, or a value is not finite.
template <class Real>
bool Bicgstab<Real>::descend(Buffer<Real>& x, double target, int most, int& iterations) {
    over()[shadow_] = r_;
    over()[p_] = r_;
    double rho = products(r_, r_).xx;
    while (iterations < most) {
        system_.precondition(p_, y_);
        system_.apply(y_, v_);
        const double alpha = rho / products(v_, shadow_).xy;
        if (!std::isfinite(alpha) || rho == 0) return false;
        half_step(alpha);
        system_.precondition(r_, z_);
        system_.apply(z_, t_);
        const Products of_t = products(t_, r_);
        const double omega = of_t.xx > 0 ? of_t.xy / of_t.xx : 0;
        const Products of_r = step(alpha, omega, x);
        ++iterations;
        if (!std::isfinite(of_r.xx)) return false;
        if (std::sqrt(of_r.xx) <= target) return true;
        const double beta = of_r.xy / rho * (alpha / omega);
        if (!std::isfinite(beta)) return false;
        over()[p_] = r_ + beta * (p_ - omega * v_);
        rho = of_r.xy;
    }
    return true;
}

// The recurrence's residual drifts from the true one, and the recurrence may break down: either way it starts again from the true residual, until
// that meets the target or no longer falls.
template <class Real>
SolveReport Bicgstab<Real>::solve(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings) {
    SolveReport report{.in_double = std::is_same_v<Real, double>};
    const double b_norm = std::sqrt(products(b, b).xx);
    if (!std::isfinite(b_norm)) {
        report.outcome = SolveOutcome::broken_down;
        return report;
    }
    over()[x] = 0;
    if (b_norm <= settings.rounding) return report;
    const double target = std::max(settings.tolerance * b_norm, settings.rounding), size = target / settings.tolerance;
    double residual = b_norm;
    over()[r_] = b;
    for (int slow_restarts = 0;;) {
        report.residual = residual / size;
        report.outcome = SolveOutcome::converged;
        if (residual <= target) return report;
        report.outcome = SolveOutcome::out_of_iterations;
        if (report.iterations >= settings.max_iterations) return report;
        report.outcome = SolveOutcome::broken_down;
        if (!std::isfinite(residual)) return report;
        const bool is_whole = descend(x, target, settings.max_iterations, report.iterations);
        const double before = residual;
        residual = true_residual(b, x);
        if (!std::isfinite(residual)) return report;
        if (is_whole) report.outcome = SolveOutcome::stagnated;
        if (residual > 0.5 * before && ++slow_restarts == 3 && residual > target) {
            report.residual = residual / size;
            return report;
        }
    }
}

template class FieldOperator<float>;
template class FieldOperator<double>;
template class Bicgstab<float>;
template class Bicgstab<double>;

}  // namespace solenoid
