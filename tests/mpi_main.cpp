// main() of the tests that run on several ranks: every rank runs every test; a failure anywhere
// fails the run, and so does a filter one of whose patterns chooses no test.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "parallel/communicator.hpp"

namespace {

// As Google Test compares them: * stands for any characters, ? for one.
bool matches(const char* pattern, const char* name) {
    if (*pattern == '\0') return *name == '\0';
    if (*pattern == '*')
        return matches(pattern + 1, name) || (*name != '\0' && matches(pattern, name + 1));
    return *name != '\0' && (*pattern == '?' || *pattern == *name) &&
           matches(pattern + 1, name + 1);
}

// The patterns that choose tests (not those behind the -, which leave out) and choose none.
std::vector<std::string> idle_patterns() {
    const std::string filter = testing::GTEST_FLAG(filter);
    std::istringstream chosen(filter.substr(0, filter.find('-')));
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    std::vector<std::string> idle;
    for (std::string pattern; std::getline(chosen, pattern, ':');) {
        bool has_test = false;
        for (int s = 0; s < all.total_test_suite_count(); ++s) {
            const testing::TestSuite& suite = *all.GetTestSuite(s);
            for (int t = 0; t < suite.total_test_count(); ++t) {
                const std::string name =
                    std::string(suite.name()) + "." + suite.GetTestInfo(t)->name();
                has_test = has_test || matches(pattern.c_str(), name.c_str());
            }
        }
        if (!has_test) idle.push_back(pattern);
    }
    return idle;
}

}  // namespace

int main(int argc, char** argv) {
    solenoid::MpiSession session(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    const auto comm = solenoid::Communicator::world();
    if (!comm.is_root()) {
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        if (argc < 2 || std::string(argv[1]) != "--loud")
            delete listeners.Release(listeners.default_result_printer());
    }
    bool failed = RUN_ALL_TESTS() != 0;
    for (const std::string& pattern : idle_patterns()) {
        failed = true;
        if (comm.is_root()) std::fprintf(stderr, "no test is named %s\n", pattern.c_str());
    }
    if (failed && !comm.is_root()) std::fprintf(stderr, "rank %d failed\n", comm.rank());
    return comm.any(failed) ? 1 : 0;
}
