// Whether the residual of a recurrence and the true one, b - A x, differ by more than rounding
// makes them. A step x += s, r -= A s keeps r = b - A x but for rounding, whatever s is: a larger
// gap is a product, a message or an update gone wrong.
//
// In an iteration rounding adds to the gap r - (b - A x) at most (Greenbaum 1997; van der Vorst &
// Ye 2000)
//
//     eps (||r|| + 2 ||A s||) + eps (||A| |x|| + (m + 1) ||A| |s||),   m entries a row,
//
// where ||A s|| <= ||r_before|| + ||r||, and |x| and the sum of all |s| are of the size of the x
// that it ends with. So over n iterations
//
//     gap <= safety (n + 1) (eps (max ||r|| + S) + tiny max |alpha| sqrt(N)),
//     S^2 = sum_ij a_ij^2 x_j^2,
//
// the last for the entries of A p, N of them over the ranks, that underflow, before the step s =
// alpha p. S is had by one product: with random signs d_j, S^2 is the mean of ||A (d x)||^2. It is
// made only where max ||r|| alone does not explain the gap and the true residual has missed its
// target, of which an answer that meets it gives no cause.
#pragma once

#include "device/device.hpp"
#include "parallel/agreed_sums.hpp"
#include "solvers/krylov/linear_operator.hpp"

namespace solenoid {

// What a recurrence has done since its residual was last the true one.
struct Drift {
    int iterations = 0;
    double largest = 0, residual = 0;  // of ||r||: of all iterations, and of the last
    double longest = 0;                // the longest step alpha
    bool in_double = false;            // its arithmetic
    // Two steps of an iteration, alpha y and omega z, with ||A y|| and ||A z||, to ||r||.
    void add(double norm, double alpha, double ay, double omega, double az);
    double gap(double true_residual) const;
    double bound(double matrix_size = 0, double entries = 0) const;  // matrix_size: S, entries: N
};

// Of a matrix whose vectors have one entry a marked entity and column.
template <class Real>
class ResidualCheck {
  public:
    // Both references must outlive this.
    ResidualCheck(AgreedSums& sums, LinearOperator<Real>& matrix) : sums_(sums), matrix_(matrix) {}

    ColumnSums matrix_sizes(const Buffer<Real>& x);  // S of each column. Collective.
    double entries() const { return entries_; }      // N, once there was an S

  private:
    AgreedSums& sums_;
    LinearOperator<Real>& matrix_;
    Buffer<Real> signs_, signed_, image_;  // made at the first use
    double entries_ = 0;
};

}  // namespace solenoid
