#include <fmt/format.h>

#include <cmath>

#include "algebra/algebra.hpp"
#include "algebra/space.hpp"
#include "parallel/agreed.hpp"
#include "solvers/krylov/cgls.hpp"

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

// Vectors of rows and of columns, as solenoid::cgls takes them.
class NormalEquations {
  public:
    NormalEquations(const Matrix& a, double target) : a_(a), target_(target) {}
    double apply(Vector& p, Vector& q) {
        q = a_ * p;
        return dot(q, q).value();
    }
    // 0 once the target is met, where cgls ends.
    double apply_transposed(const Vector& r, Vector& s) {
        s = a_.transposed() * r;
        const double ss = dot(s, s).value();
        check_finite(ss, iterations_);
        norm_ = std::sqrt(ss);
        return norm_ <= target_ ? 0 : ss;
    }
    double subtract(Vector& r, double t, const Vector& q) {
        r -= t * q;
        ++iterations_;
        return dot(r, r).value();
    }
    void start(Vector& x, Vector& p, const Vector& s) {
        x.fill(0);
        p = s;
    }
    void advance(Vector& x, double t, Vector& p, const Vector& s, double beta) {
        x += t * p;
        p = s + beta * p;
    }
    double norm() const { return norm_; }

  private:
    const Matrix& a_;
    const double target_;
    double norm_ = 0;
    int iterations_ = 0;
};

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
        if (outcome.iterations > 0 && norm > 0 && !(least_pq.value() > 0))
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

SolveOutcome least_squares(const Matrix& a, const Vector& b, Vector& x, const SolveLimits& limits) {
    check(a, b, x, limits);
    const Vector of_b = a.transposed() * b;
    const double scale = norm(of_b).value();
    check_finite(scale, 0);
    Vector r = b - a * x, q = r, s = of_b, p = of_b, correction = of_b;
    NormalEquations system(a, limits.tolerance * scale);
    const CglsReport report =
        cgls(system, correction, r, norm(r).value(), 0.0, limits.most_iterations, q, s, p);
    x += correction;
    const double residual = system.norm();
    return {residual <= limits.tolerance * scale || report.residual == 0, report.iterations,
            scale > 0 ? residual / scale : residual};
}

}  // namespace solenoid::algebra
