#include "run/step_repeats.hpp"

#include "core/log.hpp"

namespace solenoid {

// What is not agreed on, such as a device that does not answer, is no failure of the step.
bool StepRepeats::repeats(const AgreedError& error, int halvings, double from, double length) {
    const int most = run_.settings.time.retries;
    if (error.exit_code() != 1 || halvings >= most || dynamic_cast<const FinalError*>(&error))
        return false;
    ++run_.summary.repeated_steps;
    log::warning(
        "the step of {:.4g} s from t = {:.6g} s is taken back and repeated at half its length ({} "
        "of {} times): {}",
        length, from, halvings + 1, most, error.what());
    return true;
}

}  // namespace solenoid
