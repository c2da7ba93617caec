#pragma once

#include "flow/solver/momentum_kind.hpp"

namespace solenoid {

const std::vector<MomentumKind>& momentum_kinds();           // in the order of the docs
const MomentumKind& momentum_kind(const std::string& name);  // std::logic_error where there is none

}  // namespace solenoid
