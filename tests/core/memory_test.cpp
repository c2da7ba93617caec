// What a machine has of memory, told by made-up files of the system.
#include "core/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace solenoid::memory_test {
namespace {

namespace fs = std::filesystem;

class HostMemoryTest : public testing::Test {
  protected:
    HostMemoryTest() {
        root_ = fs::temp_directory_path() / ("solenoid_memory_test_" + std::to_string(getpid()));
        write("proc/meminfo",
              "MemTotal:       8000 kB\nMemFree:  100 kB\nMemAvailable:  5000 kB\n"
              "HugePages_Total:       0\nSwapFree:        1000 kB\n");
    }
    ~HostMemoryTest() override { fs::remove_all(root_); }
    void write(const fs::path& name, const std::string& text) const {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text;
    }
    void expect(double total, double free) const {
        const auto found = host_memory(root_);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->total, 1024 * total);
        EXPECT_EQ(found->free, 1024 * free);
    }
    fs::path root_;
};

TEST_F(HostMemoryTest, IsThatOfTheMachine) {
    expect(8000, 6000);
    write("proc/self/cgroup", "0::/\n");
    expect(8000, 6000);
    write("proc/meminfo", "MemTotal: 8000 kB\n");
    EXPECT_FALSE(host_memory(root_));
    EXPECT_FALSE(host_memory(root_ / "none"));
}

TEST_F(HostMemoryTest, IsAtMostThatOfEachGroupRoundTheProcess) {
    write("proc/self/cgroup", "1:cpu:/other\n0::/job/step\n");
    write("sys/fs/cgroup/job/step/memory.max", "max\n");
    write("sys/fs/cgroup/job/step/memory.current", "1024\n");
    expect(8000, 6000);
    write("sys/fs/cgroup/job/memory.max", "4096000\n");
    write("sys/fs/cgroup/job/memory.current", "2048000\n");
    expect(4000, 2000);
    write("sys/fs/cgroup/job/memory.stat", "anon 1024000\ninactive_file 512000\n");
    expect(4000, 2500);
    write("sys/fs/cgroup/job/step/memory.max", "1024000\n");
    expect(1000, 999);
}

TEST_F(HostMemoryTest, IsAtMostThatOfGroupsOfTheFirstVersion) {
    write("proc/self/cgroup", "4:memory:/job\n0::/\n");
    write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2048000\n");
    write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "4096000\n");
    expect(2000, 0);
    write("sys/fs/cgroup/memory/job/memory.stat", "total_inactive_file 3072000\n");
    expect(2000, 1000);
    write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    expect(8000, 6000);
}

TEST(HostMemory, OfThisMachineIsThere) {
    const auto found = host_memory();
    ASSERT_TRUE(found);
    EXPECT_GT(found->free, 1e7);
    EXPECT_GE(found->total, 1e8);
}

}  // namespace
}  // namespace solenoid::memory_test
