// The cases that a program of tests is asked for.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

namespace solenoid::test {

// As Google Test compares them: * stands for any characters, ? for one.
inline bool matches(const char* pattern, const char* name) {
    if (*pattern == '\0') return *name == '\0';
    if (*pattern == '*')
        return matches(pattern + 1, name) || (*name != '\0' && matches(pattern, name + 1));
    return *name != '\0' && (*pattern == '?' || *pattern == *name) &&
           matches(pattern + 1, name + 1);
}

inline std::set<std::string> parts_of(const std::string& text, char separator) {
    std::set<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) parts.insert(part);
    return parts;
}

// After testing::InitGoogleTest: "--from=a.cpp,b.cpp" leaves the cases of these files, of those
// that --gtest_filter leaves. Returns what chooses no case: patterns of the filter (not those
// behind the -, which leave out), and files.
inline std::set<std::string> choose_cases(int argc, char** argv) {
    constexpr const char* option = "--from=";
    std::set<std::string> files;
    for (int i = 1; i < argc; ++i)
        if (std::strncmp(argv[i], option, std::strlen(option)) == 0)
            files = parts_of(argv[i] + std::strlen(option), ',');
    const std::string filter = GTEST_FLAG_GET(filter);
    const std::size_t minus = filter.find('-');
    const std::set<std::string> patterns = parts_of(filter.substr(0, minus), ':');

    std::set<std::string> idle = patterns;
    idle.insert(files.begin(), files.end());
    std::string chosen;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
        const testing::TestSuite& suite = *all.GetTestSuite(s);
        for (int t = 0; t < suite.total_test_count(); ++t) {
            const testing::TestInfo& info = *suite.GetTestInfo(t);
            const std::string file = std::filesystem::path(info.file()).filename();
            if (!files.empty() && !files.contains(file)) continue;
            idle.erase(file);
            const std::string name = std::string(suite.name()) + "." + info.name();
            bool is_chosen = patterns.empty();
            for (const std::string& pattern : patterns)
                if (matches(pattern.c_str(), name.c_str())) {
                    is_chosen = true;
                    idle.erase(pattern);
                }
            if (is_chosen) chosen += name + ":";
        }
    }
    if (chosen.empty())
        GTEST_FLAG_SET(filter, "-*");  // without a pattern it takes all
    else if (!files.empty())
        GTEST_FLAG_SET(filter, chosen + (minus == std::string::npos ? "" : filter.substr(minus)));
    return idle;
}

}  // namespace solenoid::test
