// From the case of a run to its results, whatever the physics: the simulation made, the initial
// output, steps in time or a steady solve, the last output, the summary.
#pragma once

#include <functional>
#include <memory>

#include "run/run.hpp"
#include "run/simulation.hpp"

namespace solenoid {

// make: makes the simulation of the case. Throws Error; a summary is written first where results
// can be. Collective.
void run_simulation(Run& run, const std::function<std::unique_ptr<Simulation>()>& make);

}  // namespace solenoid
