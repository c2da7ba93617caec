// What a recurrence of conjugate gradients is to do for one column, what it has done, and where it
// stands.
#pragma once

#include <algorithm>

namespace solenoid {

struct Descent {
    bool is_wanted = false;  // else the column stays as it is
    double target = 0;       // of ||b - A x|| by the recurrence
    // the first direction is conjugate to the last one of the descent before
    bool goes_on = false;
    // x in double, Real single precision: residual() and b - A x differ by this factor
    double scale = 1;
    int iterations = 0;    // so far, counted on
    double residual = 0;   // ||r|| by the recurrence: to be set to the first; result: the last
    bool is_whole = true;  // result: false where p . A p is not positive or a value is not finite

    double largest = 0, longest = 0;  // result: the largest ||r|| and step alpha that the host saw

    void start() {
        inspected_iterations = iterations;
        inspected_residual = largest = residual;
        longest = 0;
    }
    void record(double norm, double alpha) {
        residual = norm;
        largest = std::max(largest, norm);
        longest = std::max(longest, alpha);
    }
    // Whether the true residual should be looked at, though the target is not met: every 200
    // iterations, and where the residual has grown a thousandfold since the last time.
    bool is_inspection_due() const {
        return iterations - inspected_iterations >= 200 || residual > 1e3 * inspected_residual;
    }
    void set_inspected() {
        inspected_iterations = iterations;
        inspected_residual = residual;
    }

    int inspected_iterations = 0;
    double inspected_residual = 0;
};

// A column under way.
struct CgColumn {
    bool is_active = false;
    double rp = 0, pq = 0;  // r . p, which is r . M^-1 r but where directions went on, and p . A p
    double rz = 0;          // r . M^-1 r of the new residual
    bool has_rz = false;    // whether that is known
    // ||r|| of the last iteration and of the one before; 0: none yet
    double residual = 0, before = 0;

    // How many iterations, at most, come before the one that may bring the column to its target:
    // the residual would have to fall each time by more than the square of its last factor, and by
    // largest_fall.
    int certain_iterations(double target, int most, double largest_fall) const {
        if (before == 0) return 0;
        const double factor = residual / before, least = std::min(factor * factor, largest_fall);
        int count = 0;
        for (double r = residual * least; count < most && r > target; r *= least) ++count;
        return count;
    }
};

}  // namespace solenoid
