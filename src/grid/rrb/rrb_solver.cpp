#include "grid/rrb/rrb_solver.hpp"

#include <cmath>

#include "core/error.hpp"
#include "device/expression.hpp"

namespace solenoid {
namespace {

void check(double value, const char* what) {
    if (std::isfinite(value) && value >= 0) return;
    throw ComputationError(std::string("conjugate gradients with a repeated red-black "
                                       "factorization: ") +
                           what + " is " + std::to_string(value) +
                           ": a number is not finite, or the matrix is not positive definite");
}

}  // namespace

template <class Real>
RrbSolver<Real>::RrbSolver(const Communicator& comm, Device& device,
                           RrbFactorization<Real>& factorization)
    : device_(device),
      factorization_(factorization),
      sums_(comm),
      x_(factorization.red_vector()),
      r_(factorization.red_vector()),
      p_(factorization.red_vector()),
      q_(factorization.red_vector()),
      z_(factorization.red_vector()) {}

template <class Real>
RrbReport RrbSolver<Real>::solve(Buffer<Real>& b, Buffer<Real>& x, const RrbSettings& settings) {
    const Over red(device_, factorization_.quarter().owned());
    // b_1 = b_r - S_rb D_b^-1 b_b
    factorization_.reduce(b, r_);
    // M z = r, rho = r . z
    double rho = sums_.sum(factorization_.precondition(r_, z_));
    check(rho, "r . z");
    const double of_zero_guess = rho, target = settings.reduction * settings.reduction * rho;
    if (settings.from_zero) {
        red[x_] = 0.0 * r_;
    } else {
        factorization_.split(x, x_);
        factorization_.multiply(x_, q_);
        red[r_] -= q_;
        rho = sums_.sum(factorization_.precondition(r_, z_));
        check(rho, "r . z");
    }
    red[p_] = 1.0 * z_;
    RrbReport report;
    while (rho > target && report.iterations < settings.max_iterations) {
        ++report.iterations;
        // q = S_1 p, sigma = p . q
        const double sigma = sums_.sum(factorization_.multiply(p_, q_));
        check(sigma, "p . S p");
        const double alpha = sigma > 0 ? rho / sigma : 0;
        red[x_] += alpha * p_;
        red[r_] -= alpha * q_;
        const double before = rho;
        rho = sums_.sum(factorization_.precondition(r_, z_));
        check(rho, "r . z");
        red[p_] = z_ + rho / before * p_;
    }
    report.has_converged = rho <= target;
    report.reduction = of_zero_guess > 0 ? std::sqrt(rho / of_zero_guess) : 0;
    // x_b = D_b^-1 (b_b - S_br x_r)
    factorization_.expand(x_, x);
    return report;
}

template class RrbSolver<float>;
template class RrbSolver<double>;

}  // namespace solenoid
