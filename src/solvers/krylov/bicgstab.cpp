#include "solvers/krylov/bicgstab.hpp"

#include <algorithm>
#include <cmath>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
Bicgstab<Real>::Bicgstab(const Communicator& comm, LinearOperator<Real>& matrix,
                         LinearOperator<Real>& preconditioner)
    : sums_(comm),
      matrix_(matrix),
      preconditioner_(preconditioner),
      true_residual_(sums_, matrix, *this) {
    for (auto* vector : {&r_, &shadow_, &p_, &v_, &t_, &y_, &z_}) *vector = matrix.vector();
}

template <class Real>
typename Bicgstab<Real>::Products Bicgstab<Real>::products(const Buffer<Real>& x,
                                                           const Buffer<Real>& y) {
    std::array<double, 2> both =
        over().reduce(sums_.communicator(), sum(dot(x, y)), sum(square(x)));
    sums_.sum(both);
    return {both[0], both[1]};
}

// r -= alpha v; returns r . r.
template <class Real>
double Bicgstab<Real>::half_step(double alpha) {
    const auto a = static_cast<Real>(alpha);
    if (r_.columns() == 1)
        return kernels::ScalarBicgstabHalfStep<Real>{.v = v_, .r = r_, .alpha = a}
            .run(sums_.communicator(), matrix_.device(), matrix_.range())
            .rr;
    return kernels::BicgstabHalfStep<Real>{.dimension = r_.columns(), .v = v_, .r = r_, .alpha = a}
        .run(sums_.communicator(), matrix_.device(), matrix_.range())
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
    if (r_.columns() == 1)
        return sums(kernels::ScalarBicgstabStep<Real>{
            .y = y_, .z = z_, .t = t_, .shadow = shadow_, .x = x, .r = r_, .alpha = a, .omega = o}
                        .run(sums_.communicator(), matrix_.device(), matrix_.range()));
    return sums(kernels::BicgstabStep<Real>{.dimension = r_.columns(),
                                            .y = y_,
                                            .z = z_,
                                            .t = t_,
                                            .shadow = shadow_,
                                            .x = x,
                                            .r = r_,
                                            .alpha = a,
                                            .omega = o}
                    .run(sums_.communicator(), matrix_.device(), matrix_.range()));
}

template <class Real>
ColumnSums Bicgstab<Real>::norms(const Buffer<Real>& v) {
    return {std::sqrt(products(v, v).xx)};
}

template <class Real>
ColumnSums Bicgstab<Real>::true_residual(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& r) {
    matrix_.apply(x, r);
    over()[r] = b - r;
    return norms(r);
}

// Algorithm 7.7 from the residual in r, which is the shadow r0* too. False where it breaks down:
// r . r0*, A y . r0* or t . r is zero, or a value is not finite.
template <class Real>
bool Bicgstab<Real>::run(Buffer<Real>& x, SystemSolve& system, int most,
                         const typename Recurrence<Real>::Inspection& inspect) {
    Drift& drift = system.drift;
    over()[shadow_] = r_;
    over()[p_] = r_;
    double rho = products(r_, r_).xx;  // r . r0*
    drift = {.largest = std::sqrt(rho),
             .residual = std::sqrt(rho),
             .in_double = std::is_same_v<Real, double>};
    while (system.report.iterations < most) {
        preconditioner_.apply(p_, y_);  // y = M^-1 p
        matrix_.apply(y_, v_);          // v = A y
        const Products of_v = products(v_, shadow_);
        const double alpha = rho / of_v.xy;
        if (!std::isfinite(alpha) || rho == 0) return false;
        half_step(alpha);               // s = r - alpha v, in r
        preconditioner_.apply(r_, z_);  // z = M^-1 s
        matrix_.apply(z_, t_);          // t = A z
        const Products of_t = products(t_, r_);
        const double omega = of_t.xx > 0 ? of_t.xy / of_t.xx : 0;
        const Products of_r = step(alpha, omega, x);  // x += alpha y + omega z, r = s - omega t
        drift.add(std::sqrt(of_r.xx), alpha, std::sqrt(of_v.xx), omega, std::sqrt(of_t.xx));
        ++system.report.iterations;
        if (!std::isfinite(of_r.xx)) return false;
        if (drift.iterations % 200 == 0 && inspect({&system, 1})) return true;
        if (std::sqrt(of_r.xx) <= system.target) return true;
        const double beta = of_r.xy / rho * (alpha / omega);
        if (!std::isfinite(beta)) return false;
        over()[p_] = r_ + beta * (p_ - omega * v_);
        rho = of_r.xy;
    }
    return true;
}

template <class Real>
void Bicgstab<Real>::iterate(Buffer<Real>& x, std::span<SystemSolve> systems, int most,
                             const typename Recurrence<Real>::Inspection& inspect) {
    systems[0].is_whole = run(x, systems[0], most, inspect);
}

template <class Real>
SolveReport Bicgstab<Real>::solve(const Buffer<Real>& b, Buffer<Real>& x,
                                  const CgSettings& settings) {
    CgSettings from_zero = settings;
    from_zero.from_zero = true;
    from_zero.takes_rounding = false;
    return true_residual_.solve(b, x, from_zero).front();
}

template class Bicgstab<float>;
template class Bicgstab<double>;

}  // namespace solenoid
