// Option values among names.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace solenoid {

// A validator for option values among `names`; proposes the nearest for others.
CLI::Validator one_of(const std::vector<std::string>& names);

}  // namespace solenoid
