// The summary of a run at its end: summary.json.
#pragma once

#include <string>

#include "parallel/communicator.hpp"
#include "run/run.hpp"

namespace solenoid {

// Completes the summary and writes it, unless the run leaves the results of an earlier one as they
// are: where it did not end its first step. Collective.
void finish_summary(Run& run, const std::string& status);

// The same after an error: "stopped" with the signal that asked for it, or "failed". Does nothing
// where the summary was finished before. Errors on the way are not reported, since `error` is.
// Collective.
void finish_summary(Run& run, const AgreedError& error);

}  // namespace solenoid
