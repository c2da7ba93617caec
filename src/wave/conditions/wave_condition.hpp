// Boundary conditions of waves: Dirichlet, y = g; Neumann, dy/dn = 0; or absorbing. A kind is one
// file of this folder and one line of wave_conditions.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "case/condition_kinds.hpp"

namespace solenoid {

class WaveCondition {
  public:
    virtual ~WaveCondition() = default;
    // g [m], of x, y, z, t; nullptr: it is not given
    virtual const Formula* displacement() const { return nullptr; }
    // Of an absorbing boundary the wave that comes in [m], of x, y, z, t; nullptr: it reflects
    virtual const Formula* incident() const { return nullptr; }
};

struct NoWaveContext {};
using WaveConditionKind = ConditionKind<WaveCondition, NoWaveContext>;
const std::vector<WaveConditionKind>& wave_condition_kinds();  // in the order of the docs

struct WaveBoundary {  // [boundary.NAME] of a wave case
    std::string name, place;
    std::shared_ptr<const WaveCondition> condition;
};

}  // namespace solenoid
