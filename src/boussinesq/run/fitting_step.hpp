// The length of steps that are all alike, by the times at which a case writes.
#pragma once

#include "case/settings.hpp"

namespace solenoid {

// At most `most` [s], such that the end of the case and all its intervals are whole numbers of
// steps; is_given: exactly that. Throws InputError where there is none.
double fitting_step(const CaseSettings& settings, double most, bool is_given);

}  // namespace solenoid
