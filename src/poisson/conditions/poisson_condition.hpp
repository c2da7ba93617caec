// Boundary conditions of boundary-value problems, alpha U + beta dU/dn = gamma with the outward
// normal n. A kind is one file of this folder and one line of poisson_conditions.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "case/condition_kinds.hpp"

namespace solenoid {

struct PoissonCondition {
    double alpha = 1, beta = 0;  // of one sign, not both zero
    Formula gamma{0.0};          // of x, y
};

struct NoPoissonContext {};
using PoissonConditionKind = ConditionKind<PoissonCondition, NoPoissonContext>;
const std::vector<PoissonConditionKind>& poisson_condition_kinds();  // in the order of the docs

struct PoissonBoundary {  // [boundary.NAME] of a case of Poisson's equation
    std::string name, place;
    std::shared_ptr<const PoissonCondition> condition;
};

// A formula of x and y alone.
ValueReader<Formula> in_the_plane();

}  // namespace solenoid
