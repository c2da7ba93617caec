// main() of the tests without ranks; an option that chooses no test fails the run.
#include <gtest/gtest.h>

#include <cstdio>

#include "support/cases_of_files.hpp"

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const auto idle = solenoid::test::choose_cases(argc, argv);
    for (const std::string& what : idle) std::fprintf(stderr, "no test is of %s\n", what.c_str());
    return RUN_ALL_TESTS() != 0 || !idle.empty();
}
