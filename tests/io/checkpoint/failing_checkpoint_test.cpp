// Each call of the system that a checkpoint makes fails once, on each rank.
#include <gtest/gtest.h>

#include <fcntl.h>

#include "io/checkpoint/checkpoint_folder.hpp"
#include "samples.hpp"
#include "support/failing_calls.hpp"

namespace solenoid::failing_checkpoint_test {
namespace {

using checkpoints::arrays;
using checkpoints::header;

class FailingCheckpoint : public testing::Test {
  protected:
    Communicator comm = Communicator::world();
    ScratchFolder folder{comm};
    const std::filesystem::path file = folder / "step.checkpoint";
};

class FailingCalls : public FailingCheckpoint, public testing::WithParamInterface<const char*> {};

TEST_P(FailingCalls, AreAgreedLeaveNothingAndCanBeRepeated) {
    const std::string call = GetParam();
    write_checkpoint(comm, file, header(1), arrays(comm), 512);
    const std::string before = text_of(file);
    comm.barrier();
    write_checkpoint(comm, file, header(2), arrays(comm), 512);
    const std::string after = text_of(file);
    comm.barrier();
    int failures = 0;
    for (int rank = 0; rank < comm.size(); ++rank)
        for (int at = 1;; ++at) {
            if (comm.is_root()) checkpoints::write_text(file, before);
            comm.barrier();
            if (comm.rank() == rank) fail_call(call.c_str(), at, folder.path().c_str(), 0);
            std::string message;
            int exit_code = 0;
            try {
                write_checkpoint(comm, file, header(2), arrays(comm), 512);
            } catch (const AgreedError& error) {
                message = error.what();
                exit_code = error.exit_code();
            }
            const bool has_failed = comm.any(comm.rank() == rank && failed_calls() > 0);
            fail_call("", 0, "", 0);
            EXPECT_EQ(comm.sum(std::int64_t(exit_code)), has_failed ? comm.size() : 0);
            EXPECT_EQ(message.empty(), !has_failed);
            if (has_failed) {
                EXPECT_NE(message.find(folder.path().string()), std::string::npos) << message;
                EXPECT_NE(message.find("cannot be written: Input/output error"), std::string::npos)
                    << message;
            }
            EXPECT_FALSE(std::filesystem::exists(folder / "step.checkpoint.part"));
            const std::string found = text_of(file);  // never torn
            EXPECT_TRUE(found == before || found == after) << call << " " << at;
            EXPECT_TRUE(has_failed || found == after);
            comm.barrier();
            if (!has_failed) break;
            ++failures;
            write_checkpoint(comm, file, header(2), arrays(comm), 512);
            EXPECT_TRUE(text_of(file) == after) << call << " " << at;
            comm.barrier();
        }
    const int least = call == "rename" ? 1 : comm.size();  // each rank was hit
    EXPECT_GE(failures, least);
}
INSTANTIATE_TEST_SUITE_P(Each, FailingCalls,
                         testing::Values("open", "pwrite", "fsync", "close", "rename"),
                         [](const auto& info) { return std::string(info.param); });

// The name of a new folder is flushed by each attempt, until it was.
TEST_F(FailingCheckpoint, FlushesTheNameOfItsFolder) {
    const CheckpointFolder kept(comm, folder / "checkpoints", 2);
    for (const char* call : {"open", "fsync", "fsync"}) {
        if (comm.is_root()) fail_call(call, 1, folder.path().c_str(), 0);
        std::string message;
        try {
            kept.write(header(7), arrays(comm));
        } catch (const AgreedError& error) {
            EXPECT_EQ(error.exit_code(), 1);
            message = error.what();
        }
        fail_call("", 0, "", 0);
        EXPECT_EQ(message, folder.path().string() + ": cannot be written: Input/output error");
        EXPECT_FALSE(std::filesystem::exists(folder / "checkpoints"));
        comm.barrier();
    }
    kept.write(header(7), arrays(comm));
    EXPECT_EQ(kept.newest()->header().step, 7);
}

// What stands at the temporary name is replaced, and never followed.
TEST_F(FailingCheckpoint, DoesNotFollowALink) {
    const auto victim = folder / "victim";
    if (comm.is_root()) {
        checkpoints::write_text(victim, "mine");
        std::filesystem::create_symlink(victim, folder / "step.checkpoint.part");
    }
    comm.barrier();
    write_checkpoint(comm, file, header(), arrays(comm));
    EXPECT_EQ(text_of(victim), "mine");
    EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(file)));
    EXPECT_NO_THROW(CheckpointFile(comm, file));
}

// A rank that cannot read is one with a damaged file: all refuse.
TEST_F(FailingCheckpoint, ReadsOnAllRanksOrNone) {
    write_checkpoint(comm, file, header(), arrays(comm));
    if (comm.rank() == comm.size() - 1) fail_call("open", 1, file.c_str(), 0);
    try {
        CheckpointFile(comm, file);
        ADD_FAILURE();
    } catch (const AgreedError& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_EQ(std::string(error.what()),
                  file.string() + ": cannot be read: Input/output error");
    }
    fail_call("", 0, "", 0);
    EXPECT_NO_THROW(CheckpointFile(comm, file));
}

}  // namespace
}  // namespace solenoid::failing_checkpoint_test
