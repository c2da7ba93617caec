#include "solvers/krylov/bicgstab.hpp"

#include <algorithm>
#include <cmath>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
Bicgstab<Real>::Bicgstab(const Communicator& comm, Device& device, FieldOperator<Real>& system)
    : sums_(comm),
      device_(device),
      system_(system),
      r_(system.field()),
      columns_(r_.columns()),
      check_(sums_, device, system.range(), r_.size(), columns_,
             [&system](Buffer<Real>& x, Buffer<Real>& y) { system.apply(x, y); }) {
    for (auto* field : {&shadow_, &p_, &v_, &t_, &y_, &z_}) *field = system.field();
}

template <class Real>
typename Bicgstab<Real>::Products Bicgstab<Real>::products(const Buffer<Real>& x,
                                                           const Buffer<Real>& y) {
    std::array<double, 2> both = over().reduce(sum(dot(x, y)), sum(square(x)));
    sums_.sum(both);
    return {both[0], both[1]};
}

// r -= alpha v; returns r . r.
template <class Real>
double Bicgstab<Real>::half_step(double alpha) {
    const auto a = static_cast<Real>(alpha);
    if (columns_ == 1)
        return kernels::ScalarBicgstabHalfStep<Real>{.v = v_, .r = r_, .alpha = a}
            .run(device_, system_.range())
            .rr;
    return kernels::BicgstabHalfStep<Real>{.dimension = columns_, .v = v_, .r = r_, .alpha = a}
        .run(device_, system_.range())
        .rr;
}

// x += alpha y + omega z, r -= omega t; returns r . shadow and r . r.
template <class Real>
typename Bicgstab<Real>::Products Bicgstab<Real>::step(double alpha, double omega,
                                                       Buffer<Real>& x) {
    const auto a = static_cast<Real>(alpha), o = static_cast<Real>(omega);
    const auto sums = [&](const auto& local) {
        std::array<double, 2> both{local.rs, local.rr};
        sums_.sum(both);
        return Products{both[0], both[1]};
    };
    if (columns_ == 1)
        return sums(kernels::ScalarBicgstabStep<Real>{
            .y = y_, .z = z_, .t = t_, .shadow = shadow_, .x = x, .r = r_, .alpha = a, .omega = o}
                        .run(device_, system_.range()));
    return sums(kernels::BicgstabStep<Real>{.dimension = columns_,
                                            .y = y_,
                                            .z = z_,
                                            .t = t_,
                                            .shadow = shadow_,
                                            .x = x,
                                            .r = r_,
                                            .alpha = a,
                                            .omega = o}
                    .run(device_, system_.range()));
}

// b - A x in `left`, and its norm.
template <class Real>
double Bicgstab<Real>::true_residual(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& left) {
    system_.apply(x, left);
    over()[left] = b - left;
    return std::sqrt(products(left, left).xx);
}

// Whether the true residual is not the recurrence's, as the report then says.
template <class Real>
bool Bicgstab<Real>::is_apart(const Drift& drift, double residual, double target, double size,
                              const Buffer<Real>& x, SolveReport& report) {
    if (!(residual > target) || !(drift.gap(residual) > drift.bound())) return false;
    const ColumnSums sizes = check_.matrix_sizes(x);
    const double matrix_size = std::hypot(sizes[0], sizes[1], sizes[2]);
    const double bound = drift.bound(matrix_size, check_.entries());
    if (!(drift.gap(residual) > bound)) return false;
    report.set_inconsistent(drift, residual, bound, size);
    return true;
}

// From the residual in r, which is the shadow too. False where the recurrence ends: r . shadow, v .
// shadow or t . r is zero, or a value is not finite.
template <class Real>
bool Bicgstab<Real>::iterate(Buffer<Real>& x, double target, int most, int& iterations,
                             Drift& drift, const Inspection& inspect) {
    over()[shadow_] = r_;
    over()[p_] = r_;
    double rho = products(r_, r_).xx;
    drift = {.largest = std::sqrt(rho),
             .residual = std::sqrt(rho),
             .in_double = std::is_same_v<Real, double>};
    while (iterations < most) {
        system_.precondition(p_, y_);
        system_.apply(y_, v_);
        const Products of_v = products(v_, shadow_);
        const double alpha = rho / of_v.xy;
        if (!std::isfinite(alpha) || rho == 0) return false;
        half_step(alpha);
        system_.precondition(r_, z_);
        system_.apply(z_, t_);
        const Products of_t = products(t_, r_);
        const double omega = of_t.xx > 0 ? of_t.xy / of_t.xx : 0;
        const Products of_r = step(alpha, omega, x);
        drift.residual = std::sqrt(of_r.xx);
        drift.largest =
            std::max({drift.largest, drift.residual, std::abs(alpha) * std::sqrt(of_v.xx),
                      std::abs(omega) * std::sqrt(of_t.xx)});
        drift.longest = std::max({drift.longest, std::abs(alpha), std::abs(omega)});
        ++drift.iterations;
        ++iterations;
        if (!std::isfinite(of_r.xx)) return false;
        if (drift.iterations % 200 == 0 && inspect()) return true;
        if (std::sqrt(of_r.xx) <= target) return true;
        const double beta = of_r.xy / rho * (alpha / omega);
        if (!std::isfinite(beta)) return false;
        over()[p_] = r_ + beta * (p_ - omega * v_);
        rho = of_r.xy;
    }
    return true;
}

// The recurrence's residual drifts from the true one, and the recurrence may break down: either way
// it starts again from the true residual, until that meets the target or no longer falls.
template <class Real>
void Bicgstab<Real>::iterate_with_restarts(const Buffer<Real>& b, Buffer<Real>& x,
                                           const CgSettings& settings, SolveReport& report) {
    const double b_norm = std::sqrt(products(b, b).xx);
    if (!std::isfinite(b_norm)) {
        report.outcome = SolveOutcome::broken_down;
        return;
    }
    over()[x] = 0;
    if (b_norm <= settings.rounding) return;
    const double target = std::max(settings.tolerance * b_norm, settings.rounding),
                 size = target / settings.tolerance;
    double residual = b_norm;
    over()[r_] = b;
    for (int slow_restarts = 0;;) {
        report.residual = residual / size;
        report.outcome = SolveOutcome::converged;
        if (residual <= target) return;
        report.outcome = SolveOutcome::out_of_iterations;
        if (report.iterations >= settings.max_iterations) return;
        report.outcome = SolveOutcome::broken_down;
        if (!std::isfinite(residual)) return;
        Drift drift;
        const auto inspect = [&] {
            return is_apart(drift, true_residual(b, x, t_), target, size, x, report);
        };
        const bool is_whole =
            iterate(x, target, settings.max_iterations, report.iterations, drift, inspect);
        if (report.is_fault()) return;
        const double before = residual;
        residual = true_residual(b, x, r_);
        if (!std::isfinite(residual) || is_apart(drift, residual, target, size, x, report)) return;
        if (is_whole) report.outcome = SolveOutcome::stagnated;
        if (residual > 0.5 * before && ++slow_restarts == 3 && residual > target) {
            report.residual = residual / size;
            return;
        }
    }
}

template <class Real>
SolveReport Bicgstab<Real>::solve(const Buffer<Real>& b, Buffer<Real>& x,
                                  const CgSettings& settings) {
    SolveReport report{.in_double = std::is_same_v<Real, double>};
    try {
        iterate_with_restarts(b, x, settings, report);
    } catch (const SumsDiffer&) {
        report.outcome = SolveOutcome::ranks_differ;
    }
    return report;
}

template class FieldOperator<float>;
template class FieldOperator<double>;
template class Bicgstab<float>;
template class Bicgstab<double>;

}  // namespace solenoid
