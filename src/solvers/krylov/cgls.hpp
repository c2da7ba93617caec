// Conjugate gradients for least squares: min ||b - A x|| by the normal equations
// A^T A x = A^T b, which are never formed (Hestenes & Stiefel 1952; Bjorck 1996; Saad, Iterative
// Methods, algorithm 8.4, CGNR). From x = 0 it finds the solution of least norm.
#pragma once

#include <cmath>
#include <concepts>

namespace solenoid {

// A with vectors of any kind: x, s, p of its unknowns, r, q of its equations. Inner products are
// those of all ranks, so that each decides alike.
template <class System, class Unknowns, class Equations>
concept LeastSquares = requires(System& a, Unknowns& u, const Unknowns& v, Equations& e,
                                const Equations& f, double t) {
    { a.apply(u, e) } -> std::convertible_to<double>;             // q = A p; q . q
    { a.apply_transposed(f, u) } -> std::convertible_to<double>;  // s = A^T r; s . s
    { a.subtract(e, t, f) } -> std::convertible_to<double>;       // r -= t q; r . r
    a.start(u, u, v);                                             // x = 0, p = s
    a.advance(u, t, u, v, t);                                     // x += t p, p = s + beta p
};

struct CglsReport {
    double residual = 0;  // ||b - A x||, by the recurrence
    int iterations = 0;
};

// r: on entry b, of norm `norm`; on return b - A x. Until ||r|| <= target, A^T r = 0 or `most`
// iterations. q, s, p: work vectors. Collective.
template <class System, class Unknowns, class Equations>
requires LeastSquares<System, Unknowns, Equations> CglsReport cgls(System& a, Unknowns& x,
                                                                   Equations& r, double norm,
                                                                   double target, int most,
                                                                   Equations& q, Unknowns& s,
                                                                   Unknowns& p) {
    double ss = a.apply_transposed(r, s);
    a.start(x, p, s);
    int iterations = 0;
    for (; iterations < most && norm > target && ss > 0; ++iterations) {
        const double alpha = ss / a.apply(p, q);
        norm = std::sqrt(a.subtract(r, alpha, q));
        const double next = a.apply_transposed(r, s), beta = next / ss;
        a.advance(x, alpha, p, s, beta);
        ss = next;
    }
    return {norm, iterations};
}

}  // namespace solenoid
