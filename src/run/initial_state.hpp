// [initial] file: a run that starts from the state of another one.
#pragma once

#include <memory>

#include "run/run.hpp"
#include "run/sampled_state.hpp"

namespace solenoid {

// Reads the state that the case names, by the root for all ranks, and sets the case's initial
// formulas to its values; null where the case names none, and where the run goes on from a
// checkpoint, which has all that follows from it. Its values are needed until the solver is
// made; then clear() gives the memory back. Throws AgreedError with exit code 2. Collective.
std::shared_ptr<SampledState> take_initial_state(Run& run);

}  // namespace solenoid
