#include <fmt/format.h>

#include <cmath>

#include "algebra/algebra.hpp"
#include "algebra/space.hpp"
#include "parallel/agreed.hpp"

namespace solenoid::algebra {
namespace {

void check(const Matrix& a, const Vector& b, const Vector& x, const SolveLimits& limits) {
    if (a.rows() != b.size() || a.columns() != x.size())
        throw Agreed<InputError>(fmt::format(
            "a matrix of {} x {} needs a right-hand side of {} numbers and a solution of {}, found "
            "{} and {}",
            a.rows(), a.columns(), a.rows(), a.columns(), b.size(), x.size()));
    if (!(limits.tolerance.value_or(0) >= 0) || limits.most_iterations < 0 ||
        limits.iterations_a_look < 1)
        throw Agreed<InputError>(
            "limits of a solve: the tolerance and the iterations are not negative, and a look "
            "comes after one iteration or more");
}

void check_finite(double value, int iterations) {
    if (std::isfinite(value)) return;
    throw Agreed<ComputationError>(
        fmt::format("the residual is not finite after {} iterations: see whether the matrix and "
                    "the right-hand side are, and the squares of the matrix's numbers",
                    iterations));
}

// y = 2^power x, in two steps: one factor may be beyond single precision.
void set_scaled(Vector& y, const Vector& x, int power) {
    y = std::exp2(power / 2) * x;
    y = std::exp2(power - power / 2) * y;
}

// Over the right-hand side's norm; in single precision rounding leaves about 1e-6.
double tolerance_of(const Vector& x, const SolveLimits& limits) {
    return limits.tolerance.value_or(x.space()->is_double() ? 1e-10 : 1e-5);
}

[[noreturn]] void refuse_sizes(const Vector& x) {
    throw Agreed<ComputationError>(fmt::format(
        "the squares of the matrix's numbers are beyond {} precision: multiply the matrix by a "
        "number that brings them nearer to 1{}",
        x.space()->is_double() ? "double" : "single",
        x.space()->is_double() ? "" : ", or take double precision"));
}

// solve(b, x, the norm of `measure`), for the same problem over a number near the greatest
// magnitude of measure where it is far from 1: its squares vanish or overflow in single precision.
// measure: b, or what is zero where x = 0 solves the problem.
template <class Solve>
SolveOutcome scaled(const Matrix& a, const Vector& measure, const Vector& b, Vector& x,
                    const Solve& solve) {
    constexpr double small = 1e-3, large = 1e6;
    const double size = norm(measure).value();
    if (size > small && size < large) return solve(b, x, size);
    const double greatest = greatest_magnitude(measure).value();
    check_finite(greatest, 0);
    if (greatest == 0) {
        x.fill(0);
        return {.has_converged = true};
    }
    const int power = std::ilogb(greatest);
    Vector near_one = b, of_measure = measure;
    set_scaled(near_one, b, -power);
    set_scaled(of_measure, measure, -power);
    set_scaled(x, x, -power);
    const Vector residual = near_one - a * x;
    if (!(norm(residual).value() <= norm(near_one).value())) x.fill(0);  // a guess as bad as none
    const SolveOutcome outcome = solve(near_one, x, norm(of_measure).value());
    set_scaled(x, x, power);
    return outcome;
}

// Listing 44-1 of Krueger & Westermann (2005); scalars stay on the device between two looks.
SolveOutcome listing(const Matrix& a, const Vector& b, Vector& x, double of_b,
                     const SolveLimits& limits) {
    Vector r = b - a * x, p = r, q = r;
    Scalar rho = dot(r, r), least_pq = rho;
    const double aim = tolerance_of(x, limits) * of_b;
    SolveOutcome outcome;
    for (double norm = std::sqrt(rho.value());; norm = std::sqrt(rho.value())) {
        if (outcome.iterations > 0 && least_pq.value() == 0 && !(norm <= aim)) refuse_sizes(x);
        check_finite(norm, outcome.iterations);
        outcome.residual = norm / of_b;
        outcome.has_converged = norm <= aim;
        if (outcome.iterations > 0 && !outcome.has_converged && !(least_pq.value() > 0))
            throw Agreed<ComputationError>(fmt::format(
                "the matrix is not positive definite: p . A p = {:.3g} within {} iterations of "
                "conjugate gradients",
                least_pq.value(), outcome.iterations));
        if (outcome.has_converged || outcome.iterations >= limits.most_iterations) return outcome;
        for (int k = 0; k < limits.iterations_a_look && outcome.iterations < limits.most_iterations;
             ++k, ++outcome.iterations) {
            q = a * p;
            const Scalar pq = dot(p, q), alpha = rho / pq;
            x += alpha * p;
            r -= alpha * q;
            const Scalar next = dot(r, r);
            p = r + (next / rho) * p;
            rho = next;
            least_pq = outcome.iterations == 0 ? pq : least(least_pq, pq);
        }
    }
}

// CGLS (Bjorck, Numerical Methods for Least Squares Problems, 1996, algorithm 7.4.1); s = A^T r.
SolveOutcome cgls(const Matrix& a, const Vector& b, Vector& x, double of_b,
                  const SolveLimits& limits) {
    Vector r = b - a * x, q = r;
    Vector s = a.transposed() * r, p = s;
    Scalar gamma = dot(s, s), least_qq = gamma;
    const double aim = tolerance_of(x, limits) * of_b;
    SolveOutcome outcome;
    for (double norm = std::sqrt(gamma.value());; norm = std::sqrt(gamma.value())) {
        if (outcome.iterations > 0 && least_qq.value() == 0 && !(norm <= aim)) refuse_sizes(x);
        check_finite(norm, outcome.iterations);
        outcome.residual = norm / of_b;
        outcome.has_converged = norm <= aim;
        if (outcome.has_converged || outcome.iterations >= limits.most_iterations) return outcome;
        for (int k = 0; k < limits.iterations_a_look && outcome.iterations < limits.most_iterations;
             ++k, ++outcome.iterations) {
            q = a * p;
            const Scalar qq = dot(q, q), alpha = gamma / qq;
            least_qq = outcome.iterations == 0 ? qq : least(least_qq, qq);
            x += alpha * p;
            r -= alpha * q;
            s = a.transposed() * r;
            const Scalar next = dot(s, s);
            p = s + (next / gamma) * p;
            gamma = next;
        }
    }
}

}  // namespace

SolveOutcome conjugate_gradients(const Matrix& a, const Vector& b, Vector& x,
                                 const SolveLimits& limits) {
    check(a, b, x, limits);
    return scaled(a, b, b, x, [&](const Vector& of, Vector& solution, double of_b) {
        return listing(a, of, solution, of_b, limits);
    });
}

SolveOutcome least_squares(const Matrix& a, const Vector& b, Vector& x, const SolveLimits& limits) {
    check(a, b, x, limits);
    const Vector normal = a.transposed() * b;
    return scaled(a, normal, b, x, [&](const Vector& of, Vector& solution, double of_b) {
        return cgls(a, of, solution, of_b, limits);
    });
}

}  // namespace solenoid::algebra
