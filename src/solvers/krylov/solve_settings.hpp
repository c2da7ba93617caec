// When a Krylov solve ends, and which preconditioner it has.
#pragma once

#include "solvers/choice/preconditioner_kinds.hpp"

namespace solenoid {

struct CgSettings {
    // stop when ||b - A x||_2 <= tolerance ||b||_2, the residual computed anew
    double tolerance = 1e-10;
    int max_iterations = 100000;
    // Norm of the rounding that b holds from what it was formed of: no smaller residual is asked
    // for, and where b is no larger, nothing is left to solve and x = 0. A singular system is
    // consistent to that much only.
    double rounding = 0;
    // What rounding of A x keeps from the tolerance, within a hundredfold, has converged, not
    // stagnated: no better x of this precision is known.
    bool takes_rounding = false;
    // the first guess is zero whatever x holds, and its residual b, which is zero on fixed rows: a
    // product less
    bool from_zero = false;
};

// Of a solve and of the preconditioner that is made for it.
struct SolveSettings {
    CgSettings stop;
    PreconditionerSettings preconditioner = {};
};

}  // namespace solenoid
