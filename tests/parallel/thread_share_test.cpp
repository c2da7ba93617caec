// A rank's share of the cores: of OMP_NUM_THREADS, of affinity, and of what coreutils' nproc
// counts.
#include "parallel/thread_share.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/error.hpp"

namespace solenoid::thread_share_test {
namespace {

class ThreadShare : public testing::Test {
  protected:
    ThreadShare() {
        unsetenv("OMP_NUM_THREADS");
        sched_getaffinity(0, sizeof allowed_, &allowed_);
    }
    ~ThreadShare() override { sched_setaffinity(0, sizeof allowed_, &allowed_); }

    static int nproc() {
        FILE* output = popen("nproc", "r");
        int count = 0;
        EXPECT_EQ(std::fscanf(output, "%d", &count), 1);
        pclose(output);
        return count;
    }
    // The n-th core that is allowed, alone.
    void take_core(int n) const {
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int core = 0; core < CPU_SETSIZE; ++core)
            if (CPU_ISSET(core, &allowed_) && n-- == 0) CPU_SET(core, &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    }

    const Communicator comm_ = Communicator::world();
    cpu_set_t allowed_;
};

TEST_F(ThreadShare, IsWhatTheVariableSays) {
    setenv("OMP_NUM_THREADS", "3", 1);
    EXPECT_EQ(thread_share(comm_), 3);
    for (const char* no_number : {"", "0", "-2", "many"}) {
        setenv("OMP_NUM_THREADS", no_number, 1);
        const int share = thread_share(comm_);
        unsetenv("OMP_NUM_THREADS");
        EXPECT_EQ(share, thread_share(comm_)) << no_number;
    }
}

// On every rank, also where the variable is set on one alone.
TEST_F(ThreadShare, TooManyAreRefused) {
    setenv("OMP_NUM_THREADS", "1024", 1);
    EXPECT_EQ(thread_share(comm_), 1024);
    for (const char* too_many : {"1025", "999999999", "99999999999999999999"}) {
        unsetenv("OMP_NUM_THREADS");
        if (comm_.rank() == comm_.size() - 1) setenv("OMP_NUM_THREADS", too_many, 1);
        try {
            thread_share(comm_);
            ADD_FAILURE() << too_many << " is taken";
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_NE(std::string(error.what()).find(std::string("OMP_NUM_THREADS=") + too_many),
                      std::string::npos)
                << error.what();
        }
    }
}

TEST_F(ThreadShare, OfCoresThatAllRanksMayUse) {
    EXPECT_GE(thread_share(comm_), 1);
    // less where a container has a quota
    EXPECT_LE(thread_share(comm_), std::max(1, nproc() / comm_.size()));
}

TEST_F(ThreadShare, OfOneCoreIsOne) {
    take_core(0);
    EXPECT_EQ(thread_share(comm_), 1);
}

TEST_F(ThreadShare, OfCoresThatNoOtherRankMayUseIsWhole) {
    const int cores = nproc();
    if (comm_.size() != 2 || cores < 2 || thread_share(Communicator::self()) < cores)
        GTEST_SKIP() << "two ranks on two cores or more, without a quota";
    if (comm_.is_root()) take_core(0);  // the other rank keeps all: nobody has the same
    EXPECT_EQ(thread_share(comm_), comm_.is_root() ? 1 : cores);
}

}  // namespace
}  // namespace solenoid::thread_share_test
