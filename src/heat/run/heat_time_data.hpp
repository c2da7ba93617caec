// The formulas of a heat case that depend on time.
#pragma once

#include "run/run.hpp"
#include "run/time_data.hpp"

namespace solenoid {

std::vector<TimeDatum> heat_time_data(const Run& run);  // collective

}  // namespace solenoid
