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
    if (!(limits.tolerance >= 0) || limits.most_iterations < 0 || limits.iterations_a_look < 1)
        throw Agreed<InputError>(
            "limits of a solve: the tolerance and the iterations are not negative, and a look "
            "comes after one iteration or more");
}

void check_finite(double value, int iterations) {
    if (std::isfinite(value)) return;
    throw Agreed<ComputationError>(
        fmt::format("the residual is not finite after {} iterations: see whether the matrix and "
                    "the right-hand side are",
                    iterations));
}

}  // namespace

// Listing 44-1 of Krueger & Westermann (2005); scalars stay on the device between two looks.
SolveOutcome conjugate_gradients(const Matrix& a, const Vector& b, Vector& x,
                                 const SolveLimits& limits) {
    check(a, b, x, limits);
    const double of_b = norm(b).value();
    Vector r = b - a * x, p = r, q = r;
    Scalar rho = dot(r, r), least_pq = rho;
    SolveOutcome outcome;
    for (double norm = std::sqrt(rho.value());; norm = std::sqrt(rho.value())) {
        check_finite(norm, outcome.iterations);
        outcome.residual = of_b > 0 ? norm / of_b : norm;
        outcome.has_converged = norm <= limits.tolerance * of_b;
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
SolveOutcome least_squares(const Matrix& a, const Vector& b, Vector& x, const SolveLimits& limits) {
    check(a, b, x, limits);
    Vector s = a.transposed() * b;
    const double of_b = norm(s).value();
    Vector r = b - a * x, q = r;
    s = a.transposed() * r;
    Vector p = s;
    Scalar gamma = dot(s, s);
    SolveOutcome outcome;
    for (double norm = std::sqrt(gamma.value());; norm = std::sqrt(gamma.value())) {
        check_finite(norm, outcome.iterations);
        outcome.residual = of_b > 0 ? norm / of_b : norm;
        outcome.has_converged = norm <= limits.tolerance * of_b;
        if (outcome.has_converged || outcome.iterations >= limits.most_iterations) return outcome;
        for (int k = 0; k < limits.iterations_a_look && outcome.iterations < limits.most_iterations;
             ++k, ++outcome.iterations) {
            q = a * p;
            const Scalar alpha = gamma / dot(q, q);
            x += alpha * p;
            r -= alpha * q;
            s = a.transposed() * r;
            const Scalar next = dot(s, s);
            p = s + (next / gamma) * p;
            gamma = next;
        }
    }
}

}  // namespace solenoid::algebra
