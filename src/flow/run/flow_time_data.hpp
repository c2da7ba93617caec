// The formulas of a flow's case that may depend on time.
#pragma once

#include "run/run.hpp"
#include "run/time_data.hpp"

namespace solenoid {

std::vector<TimeDatum> flow_time_data(const Run& run);  // collective

}  // namespace solenoid
