// The length of steps that are all alike, by the times at which a case writes.
#pragma once

#include <string>

#include "case/settings.hpp"

namespace solenoid {

// At most `most` [s], such that the end of the case, all its intervals and the times from which
// they count, the bounds of its averages and the time that the run has `reached` are whole numbers
// of steps; is_given: exactly that. Throws InputError where there is none.
double fitting_step(const CaseSettings& settings, double most, bool is_given, double reached = 0);

// Whether all of these are whole numbers of the step.
bool fits(const CaseSettings& settings, double step);
// Throws InputError where one is not: names it, and the nearest that is.
void check_fit(const CaseSettings& settings, double step, const std::string& place);

}  // namespace solenoid
