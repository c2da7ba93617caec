// The folder of a run: whose it is, what is kept, and files that are whole or absent.
#include "io/files/output_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/results.hpp"
#include "io/files/unwritten.hpp"
#include "support/failing_calls.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::output_folder_test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

std::vector<std::string> files_in(const fs::path& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (!entry.is_directory()) files.push_back(fs::relative(entry.path(), folder).string());
    std::ranges::sort(files);
    return files;
}

const char* index_of_a_case =
    "<VTKFile type=\"Collection\"><Collection><DataSet timestep=\"0\" "
    "file=\"case_000000.pvtu\"/></Collection></VTKFile>\n";

class OutputFolderTest : public testing::Test {
  protected:
    // What a run of a case leaves.
    std::vector<std::string> leave_results() const {
        write(folder / "case.pvd", index_of_a_case);
        write(folder / "case_000000.pvtu", "state");
        write(folder / "case_000000/case_000000_0.vtu", "piece");
        write(folder / "monitors/flow.csv", "time\n0\n");
        write(folder / "pictures/speed.png", "final");
        write(folder / "pictures/speed_0000.png", "first");
        write(folder / "summary.json", "{\"pictures\": [\"speed\"]}");
        return files_in(folder);
    }
    // Files of the user, some with names like those of results.
    std::vector<std::string> leave_own() const {
        write(folder / "notes.txt", "x");
        write(folder / "case.toml", "x");
        write(folder / "analysis.pvd",
              "<VTKFile type=\"Collection\"><DataSet file=\"a/a_0.vtu\"/>");
        write(folder / "case_1.pvtu", "x");
        write(folder / "case_000000/mine.vtu", "x");
        write(folder / "pictures/mine.png", "x");
        write(folder / "monitors/notes.txt", "x");
        return files_in(folder);
    }
    std::string refusal(EarlierResults earlier = EarlierResults::refuse) const {
        try {
            const OutputFolder opened(self, folder, "case", earlier);
            return "";
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2) << error.what();
            return error.what();
        }
    }
    std::string text(const std::string& name) const { return text_of(folder / name); }

    const Communicator self = Communicator::self();
    const ScratchFolder scratch{self};
    const fs::path folder = scratch / "out";
};

TEST_F(OutputFolderTest, IsRefusedWhereItHoldsResults) {
    const auto own = leave_own();
    EXPECT_EQ(refusal(), "");
    const auto all = leave_results();
    const std::string message = refusal();
    for (const char* words : {"case.pvd, summary.json, 1 state, 1 file in monitors, 2 files in "
                              "pictures",
                              "--overwrite", "--output"})
        EXPECT_NE(message.find(words), message.npos) << message;
    EXPECT_EQ(files_in(folder), all);
    for (const char* one : {"case.pvd", "case_000000.pvtu", "monitors/flow.csv", "summary.json"}) {
        fs::remove_all(folder);
        write(folder / one, one == std::string("case.pvd") ? index_of_a_case : "{}");
        EXPECT_NE(refusal(), "") << one;
    }
}

TEST_F(OutputFolderTest, ResultsGoWhenTheNewOnesStand) {
    leave_results();
    const std::string index = text("case.pvd");
    const auto own = leave_own();
    {
        OutputFolder opened(self, folder, "case", EarlierResults::replace);
        EXPECT_EQ(text("case.pvd"), index);
        opened.at_begin([&] {
            EXPECT_FALSE(fs::exists(folder / "case.pvd"));
            EXPECT_FALSE(fs::exists(folder / "monitors/flow.csv"));
            write(folder / "summary.json", "new");
        });
        opened.begin();
        write(folder / "case_000007.pvtu", "new");
        EXPECT_TRUE(opened.has_earlier_results());
        opened.keep();
        EXPECT_FALSE(opened.has_earlier_results());
    }
    const std::vector<std::string> left{
        "analysis.pvd",     "case.toml",         "case_000000/mine.vtu",
        "case_000007.pvtu", "case_1.pvtu",       "monitors/notes.txt",
        "notes.txt",        "pictures/mine.png", "summary.json"};
    EXPECT_EQ(files_in(folder), left);
    EXPECT_EQ(text("summary.json"), "new");
}

TEST_F(OutputFolderTest, ResultsComeBackWhereTheNewOnesDoNotStand) {
    const auto all = leave_results();
    for (const bool writes : {false, true}) {
        OutputFolder opened(self, folder, "case", EarlierResults::replace);
        if (!writes) continue;
        opened.begin();
        write(folder / "case.pvd", "<VTKFile type=\"Collection\">");
        write(folder / "case_000005.pvtu", "new");
        write(folder / "monitors/other.csv", "new");
        write(folder / "summary.json", "new");
    }
    EXPECT_EQ(files_in(folder), all);
    EXPECT_EQ(text("case.pvd"), index_of_a_case);
    EXPECT_EQ(text("summary.json"), "{\"pictures\": [\"speed\"]}");
}

// A file that cannot be read may be a result: nothing goes, else an index could name what is gone.
// It is read at the start, when results are set aside, and when they come back at the end.
TEST_F(OutputFolderTest, ResultsStayWhereOneCannotBeRead) {
    const auto all = leave_results();
    for (const char* name : {"case.pvd", "summary.json"}) {
        int failures = 0;
        for (bool fails = true; fails; failures += fails) {
            int exit_code = 0;
            std::string message;
            fail_call("open", failures + 1, name, 0);
            try {
                OutputFolder opened(self, folder, "case", EarlierResults::replace);
                opened.begin();
            } catch (const Error& error) {
                exit_code = error.exit_code();
                message = error.what();
            }
            fails = failed_calls() > 0;
            fail_call("", 0, "", 0);
            const bool is_refused = failures < 2;
            EXPECT_EQ(exit_code, is_refused ? 2 : 0) << name << " " << failures + 1;
            EXPECT_EQ(message.find(": Input/output error; choose another folder") != message.npos,
                      is_refused)
                << message;
            if (is_refused) {
                EXPECT_EQ(files_in(folder), all) << name << " " << failures + 1;
            }
            EXPECT_NE(refusal(), "");  // by now they are back
            EXPECT_EQ(files_in(folder), all) << name << " " << failures + 1;
        }
        EXPECT_GE(failures, 3) << name;
    }
}

// Killed at each stage, the next run finds the earlier results as they were.
TEST_F(OutputFolderTest, ResultsComeBackAfterAKill) {
    const auto all = leave_results();
    for (const int stage : {0, 1, 2}) {
        const pid_t child = fork();
        if (child == 0) {
            OutputFolder opened(self, folder, "case", EarlierResults::replace);
            if (stage == 2) opened.at_begin([&] { write(folder / "summary.json", "new"); });
            if (stage > 0) opened.begin();
            kill(getpid(), SIGKILL);
        }
        waitpid(child, nullptr, 0);
        EXPECT_NE(refusal(), "");
        EXPECT_EQ(files_in(folder), all) << stage;
    }
}

// ---- a run that is continued

TEST_F(OutputFolderTest, ResultsThatAreContinuedStay) {
    auto all = leave_results();
    write(folder / "case_000005.pvtu.part", "x");
    {
        OutputFolder opened(self, folder, "case", EarlierResults::continue_);
        EXPECT_TRUE(opened.has_earlier_results());
        opened.at_begin([&] { EXPECT_TRUE(fs::exists(folder / "case.pvd")); });
        opened.begin();
        EXPECT_FALSE(opened.has_earlier_results());  // they are the run's own
        EXPECT_FALSE(fs::exists(folder / "case_000005.pvtu.part"));
        write(folder / "case_000007.pvtu", "new");
    }
    all.emplace_back("case_000007.pvtu");
    std::ranges::sort(all);
    EXPECT_EQ(files_in(folder), all);
    { OutputFolder(self, folder, "case", EarlierResults::continue_); }  // ended before it began
    EXPECT_EQ(files_in(folder), all);
}

TEST_F(OutputFolderTest, WhereThereIsNothingToContinueResultsAreReplaced) {
    leave_results();
    OutputFolder opened(self, folder, "case", EarlierResults::continue_);
    opened.replace_earlier();
    opened.begin();
    EXPECT_TRUE(opened.has_earlier_results());
    EXPECT_FALSE(fs::exists(folder / "case.pvd"));
    opened.keep();
    EXPECT_EQ(files_in(folder), std::vector<std::string>{".solenoid-lock"});
}

// So that no run goes on from a checkpoint of the run that it has replaced.
TEST_F(OutputFolderTest, CheckpointsAreResults) {
    write(folder / "checkpoints/step-0000000020.checkpoint", "x");
    write(folder / "checkpoints/step-0000000030.checkpoint.part", "x");
    write(folder / "checkpoints/mine.checkpoint", "x");
    EXPECT_NE(refusal().find("1 file in checkpoints"), std::string::npos) << refusal();
    OutputFolder opened(self, folder, "case", EarlierResults::replace);
    opened.begin();
    EXPECT_FALSE(fs::exists(folder / "checkpoints/step-0000000020.checkpoint"));
    opened.keep();
    EXPECT_EQ(files_in(folder),
              (std::vector<std::string>{".solenoid-lock", "checkpoints/mine.checkpoint"}));
}

TEST_F(OutputFolderTest, WhatIsBehindACheckpointIsRemoved) {
    leave_results();
    leave_own();
    for (const char* state : {"case_000005", "case_000010", "cases_000010"}) {
        write(folder / (state + std::string(".pvtu")), "x");
        write(folder / state / (state + std::string("_0.vtu")), "x");
    }
    write(folder / "case_000010/case_000010_1.vtu.part", "x");
    for (const char* name : {"speed_0001", "speed_0002", "speed_10000", "speedy_0002"})
        write(folder / "pictures" / (name + std::string(".png")), "x");
    const auto before = files_in(folder);
    remove_states(folder, "case", {"case_000000", "case_000005"});
    remove_pictures(folder, "speed", 2);
    std::vector<std::string> removed;
    std::ranges::set_difference(before, files_in(folder), std::back_inserter(removed));
    EXPECT_EQ(removed,
              (std::vector<std::string>{"case_000010.pvtu", "case_000010/case_000010_0.vtu",
                                        "case_000010/case_000010_1.vtu.part", "pictures/speed.png",
                                        "pictures/speed_0002.png", "pictures/speed_10000.png"}));
}

TEST_F(OutputFolderTest, LeavesNothingWhereNothingWasWritten) {
    { const OutputFolder opened(self, folder / "a/b", "case", EarlierResults::refuse); }
    EXPECT_FALSE(fs::exists(folder));
    fs::create_directories(folder);
    { const OutputFolder opened(self, folder / "a/b", "case", EarlierResults::refuse); }
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(OutputFolderTest, RestsOfAKilledRunGo) {
    for (const char* rest :
         {"case.pvd.part", "case_000005.pvtu.part", "summary.json.part",
          "case_000005/case_000005_0.vtu.part", "monitors/flow.csv.part", ".solenoid-probe-77"})
        write(folder / rest, "x");
    write(folder / "notes.part", "x");
    OutputFolder opened(self, folder, "case", EarlierResults::refuse);
    opened.begin();
    EXPECT_EQ(files_in(folder), (std::vector<std::string>{".solenoid-lock", "notes.part"}));
}

TEST_F(OutputFolderTest, AFileInTheWayIsRefused) {
    for (const char* name : {"monitors", "pictures", "checkpoints"}) {
        write(folder / name, "x");
        EXPECT_NE(refusal().find(std::string(name) + ": is no folder"), std::string::npos);
        fs::remove(folder / name);
    }
}

// ---- the lock

TEST_F(OutputFolderTest, BelongsToOneRun) {
    const OutputFolder mine(self, folder, "mine", EarlierResults::refuse);
    const std::string message = refusal();
    for (const std::string& words :
         {std::string("another run of the case mine writes here"),
          "process " + std::to_string(getpid()) + " on " + self.host_name(),
          std::string("--output")})
        EXPECT_NE(message.find(words), message.npos) << message;
}

TEST_F(OutputFolderTest, IsTakenOverFromADeadProcess) {
    const pid_t child = fork();
    if (child == 0) {
        const OutputFolder theirs(self, folder, "theirs", EarlierResults::refuse);
        kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(fs::exists(folder / ".solenoid-lock"));
    const FolderLock lock(folder, "mine");
    EXPECT_NE(lock.note().find("process " + std::to_string(child)), std::string::npos)
        << lock.note();
    EXPECT_THROW(FolderLock(folder, "another"), InputError);
}

// Where nothing asks for the exit codes of orphans, as in some containers, a process that has ended
// stays listed.
TEST_F(OutputFolderTest, IsTakenOverFromADeadProcessThatIsStillListed) {
    const pid_t child = fork();
    if (child == 0) {
        const OutputFolder theirs(self, folder, "theirs", EarlierResults::refuse);
        kill(getpid(), SIGKILL);
    }
    siginfo_t info;
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(fs::exists("/proc/" + std::to_string(child)));
    EXPECT_EQ(refusal(), "");
    waitpid(child, nullptr, 0);
}

// The number of a dead process may be that of another one today.
TEST_F(OutputFolderTest, IsTakenOverFromADeadProcessWhoseNumberLives) {
    { const OutputFolder make(self, folder, "case", EarlierResults::refuse); }
    fs::create_directories(folder);
    std::string boot = text_of("/proc/sys/kernel/random/boot_id");
    boot.pop_back();
    const auto left = [&](const std::string& start) {
        write(folder / ".solenoid-lock",
              "{\"host\": \"h\", \"process\": " + std::to_string(getpid()) + ", \"start\": \"" +
                  start + "\", \"boot\": \"" + boot + "\"}");
    };
    left("1");
    EXPECT_EQ(refusal(), "");
    std::istringstream stat(text_of("/proc/self/stat"));
    std::string start;
    for (int field = 1; field <= 22; ++field) stat >> start;
    left(start);  // this very process
    EXPECT_NE(refusal().find("process " + std::to_string(getpid())), std::string::npos);
}

void leave_lock_of_another_host(const fs::path& folder, int age) {
    const fs::path lock = folder / ".solenoid-lock";
    write(lock, "{\"host\": \"elsewhere\", \"process\": 7, \"start\": \"1\", \"boot\": \"b\"}");
    fs::last_write_time(lock, fs::file_time_type::clock::now() - std::chrono::seconds(age));
}

TEST_F(OutputFolderTest, AHostThatIsSilentIsTakenForDead) {
    leave_lock_of_another_host(folder, 100);
    const FolderLock lock(folder, "mine");
    EXPECT_NE(lock.note().find("process 7 on elsewhere"), std::string::npos) << lock.note();
}

TEST_F(OutputFolderTest, AHostThatIsHeardIsNot) {
    leave_lock_of_another_host(folder, 0);
    std::thread beat([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        fs::last_write_time(folder / ".solenoid-lock", fs::file_time_type::clock::now());
    });
    EXPECT_NE(refusal().find("process 7 on elsewhere"), std::string::npos);
    beat.join();
}

TEST_F(OutputFolderTest, TheLockIsGivenBack) {
    {
        const OutputFolder mine(self, folder, "case", EarlierResults::refuse);
        write(folder / "notes.txt", "x");
        EXPECT_TRUE(fs::exists(folder / ".solenoid-lock"));
    }
    EXPECT_EQ(files_in(folder), std::vector<std::string>{"notes.txt"});
}

// ---- files

TEST_F(OutputFolderTest, PlantedLinksAndPipesAreNotFollowed) {
    fs::create_directories(folder);
    write(scratch / "victim", "precious");
    const fs::path file = folder / "summary.json", part = part_of(file);
    fs::create_symlink(scratch / "victim", part);
    write_atomically(file, "text");
    EXPECT_EQ(text_of(scratch / "victim"), "precious");
    EXPECT_EQ(text_of(file), "text");
    fs::remove(file);
    fs::create_symlink(scratch / "nothing", part);
    write_atomically(file, "text");
    EXPECT_FALSE(fs::exists(scratch / "nothing"));
    ASSERT_EQ(mkfifo(part.c_str(), 0600), 0);
    write_atomically(file, "more");
    EXPECT_EQ(text_of(file), "more");
    fs::create_symlink(scratch / "victim", part);
    create_part(file);
    EXPECT_EQ(text_of(scratch / "victim"), "precious");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(part)));
}

// Else a crash of the machine could undo it.
TEST_F(OutputFolderTest, ANewNameIsFlushedToTheDisk) {
    fs::create_directories(folder);
    const fs::path file = folder / "summary.json";
    write_atomically(file, "old");
    for (int at = 1; at <= 2; ++at) {  // the file, the folder
        fail_call("fsync", at, folder.c_str(), 0);
        std::string message;
        try {
            write_atomically(file, "new");
        } catch (const WriteError& error) {
            message = error.what();
        }
        EXPECT_EQ(failed_calls(), 1);
        fail_call("", 0, "", 0);
        EXPECT_EQ(message, (at == 1 ? part_of(file) : folder).string() +
                               ": cannot be written: Input/output error");
        EXPECT_EQ(text_of(file), at == 1 ? "old" : "new");
        EXPECT_FALSE(fs::exists(part_of(file)));
    }
}

TEST_F(OutputFolderTest, WhatCannotBeWrittenIsTriedAgainAndNoted) {
    const fs::path file = folder / "a/table.csv";
    int trials = 0;
    EXPECT_FALSE(write_or_note(
        file,
        [&] {
            ++trials;
            throw WriteError("full");
        },
        "2 rows"));
    EXPECT_GT(trials, 1);
    EXPECT_EQ(unwritten(), std::vector<std::string>{"2 rows of " + file.string()});
    trials = 0;
    EXPECT_TRUE(write_or_note(file, [&] { ++trials; }));
    EXPECT_EQ(trials, 1);
    EXPECT_TRUE(unwritten().empty());
    EXPECT_THROW(write_or_note(file, [] { throw ComputationError("not finite"); }),
                 ComputationError);
}

}  // namespace
}  // namespace solenoid::output_folder_test
