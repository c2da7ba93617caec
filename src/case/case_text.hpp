// The text of a case file, apart from its meaning: the root of a run reads it for all ranks.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/settings.hpp"

namespace solenoid {

struct CaseText {
    std::filesystem::path file;
    std::string text;
};

// Reads a file, or what comes through a pipe in some seconds. Throws InputError.
CaseText read_case_text(const std::filesystem::path& file);

// As read_case of the file.
CaseSettings read_case(const CaseText& text, const PhysicsList& physics,
                       const std::vector<std::string>& overrides);

// A hash of a text, of 16 hexadecimal digits.
std::string hash_of(const std::string& text);

// The case as it was run: its text, then comments with its file, hash, the program's version and
// the overrides.
std::string as_run(const CaseText& text, const std::vector<std::string>& overrides);

}  // namespace solenoid
