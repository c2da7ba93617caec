// The text of a case before it is checked, kept by a run: whoever changes a key of the run reads
// the whole case again, with the change.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/settings.hpp"

namespace solenoid {

struct CaseSource {
    std::filesystem::path file;  // as the user spelt it
    std::string text;
    std::vector<std::string> overrides;  // "key.path=value"
};

// Reads the file. Throws InputError.
CaseSource read_source(const std::filesystem::path& file,
                       const std::vector<std::string>& overrides = {});

// Checks a case, as the function of this name in case/settings.hpp.
CaseSettings read_case(const CaseSource& source, const PhysicsList& physics);

}  // namespace solenoid
