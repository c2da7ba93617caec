// main() of the tests that run on several ranks: every rank runs every test; a failure anywhere
// fails the run, and so does an option that chooses no test.
#include <gtest/gtest.h>

#include <cstdio>

#include "parallel/communicator.hpp"
#include "support/cases_of_files.hpp"

int main(int argc, char** argv) {
    solenoid::MpiSession session(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    const auto comm = solenoid::Communicator::world();
    if (!comm.is_root()) {
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        if (argc < 2 || std::string(argv[1]) != "--loud")
            delete listeners.Release(listeners.default_result_printer());
    }
    const auto idle = solenoid::test::choose_cases(argc, argv);
    const bool failed = RUN_ALL_TESTS() != 0 || !idle.empty();
    if (comm.is_root())
        for (const std::string& what : idle)
            std::fprintf(stderr, "no test is of %s\n", what.c_str());
    if (failed && !comm.is_root()) std::fprintf(stderr, "rank %d failed\n", comm.rank());
    return comm.any(failed) ? 1 : 0;
}
