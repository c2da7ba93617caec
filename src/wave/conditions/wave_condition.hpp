// Boundary conditions of waves: Dirichlet, y = g, or Neumann, dy/dn = 0. A kind is one file of this
// folder and one line of wave_conditions.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "case/condition_kinds.hpp"

namespace solenoid {

class WaveCondition {
  public:
    virtual ~WaveCondition() = default;
    // g [m], of x, y, z, t; nullptr: the boundary is free
    virtual const Formula* displacement() const { return nullptr; }
};

struct NoWaveContext {};
using WaveConditionKind = ConditionKind<WaveCondition, NoWaveContext>;
const std::vector<WaveConditionKind>& wave_condition_kinds();  // in the order of the docs

struct WaveBoundary {  // [boundary.NAME] of a wave case
    std::string name, place;
    std::shared_ptr<const WaveCondition> condition;
};

}  // namespace solenoid
