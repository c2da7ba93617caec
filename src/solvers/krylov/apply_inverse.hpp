// A preconditioner's product for methods that take a diagonal like any other.
#pragma once

#include "device/expression.hpp"
#include "solvers/krylov/preconditioner.hpp"

namespace solenoid {

// z = M^-1 r over `over`, the operator's marked entities, also where M is a diagonal. Collective.
template <class Real>
void apply_inverse(Preconditioner<Real>& preconditioner, const Over& over, const Buffer<Real>& r,
                   Buffer<Real>& z) {
    if (const auto* inverse = preconditioner.inverse_diagonal())
        over[z] = *inverse * r;
    else
        preconditioner.apply(r, z);
}

}  // namespace solenoid
