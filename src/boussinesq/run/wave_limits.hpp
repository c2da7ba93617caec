// What the model or the grid does not bear of a case's waves and ships: too short for the depth,
// too short for the nodes, or so high that they break (docs/boussinesq.md, "What the model bears").
#pragma once

#include <string>
#include <vector>

#include "boussinesq/boussinesq_model.hpp"
#include "boussinesq/case/boussinesq_case.hpp"

namespace solenoid {

// A warning each, with the place in the case, numbers and a remedy; the same on all ranks. block:
// of this rank; end: of the run [s]. Collective.
std::vector<std::string> wave_warnings(const Communicator& comm, const BoussinesqSettings& grid,
                                       const RankBlocks::Block& block, const BoussinesqCase& water,
                                       double end);

}  // namespace solenoid
