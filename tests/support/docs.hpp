// The lines of a page of docs/.
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace solenoid::test {

inline std::set<std::string> lines_of(const std::string& file) {
    std::ifstream in(std::filesystem::path(SOLENOID_SOURCE_DIR) / file);
    std::set<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.insert(line);
    return lines;
}

// The cells of a row without what aligns them.
inline std::string squeezed(const std::string& line) {
    std::string result;
    for (const char c : line)
        if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
    return result;
}

}  // namespace solenoid::test
