// What a run is asked for while it goes on: signals to a rank or to tools/mpirun, at any moment.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace solenoid::test {
namespace {

using Arguments = std::vector<std::string>;

// Heat that never ends by itself.
const std::string endless = R"(name = "small"
[mesh.box]
cells = 6000
[material.default]
conductivity = 1
heat_capacity = 1
[boundary]
xmin = {type = "temperature", value = 0}
default = {type = "insulated"}
[initial]
temperature = 1
[time]
end = 1e6
step = 1e-3
[output]
vtk = false
)";

nlohmann::json summary_in(const fs::path& folder) {
    const auto summary = nlohmann::json::parse(contents(folder / "summary.json"), nullptr, false);
    EXPECT_FALSE(summary.is_discarded()) << "no summary in " << folder;
    return summary;
}

// ---- moments of a run

bool waits_for(const std::function<bool()>& condition, double seconds = 20) {
    for (double t = 0; t < seconds; t += 0.002) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
}

// Whether the process, no longer a copy of this one, catches a signal.
bool catches(pid_t process, int number) {
    const fs::path folder = fs::path("/proc") / std::to_string(process);
    std::error_code ignored;
    if (fs::equivalent(folder / "exe", "/proc/self/exe", ignored)) return false;
    for (const std::string& line : lines_of(contents(folder / "status")))
        if (line.starts_with("SigCgt:"))
            return std::stoull(line.substr(7), nullptr, 16) >> (number - 1) & 1;
    return false;
}

std::vector<pid_t> children_of(pid_t process) {
    const fs::path task =
        fs::path("/proc") / std::to_string(process) / "task" / std::to_string(process) / "children";
    std::istringstream words(contents(task));
    std::vector<pid_t> children;
    for (pid_t child = 0; words >> child;) children.push_back(child);
    return children;
}

// Whether the process has ended, be it that nobody has asked for its exit code.
bool is_gone(pid_t process) {
    const std::string stat = contents(fs::path("/proc") / std::to_string(process) / "stat");
    return stat.empty() || stat.find(") Z ") != std::string::npos;
}

struct Moment {
    std::string name;
    Arguments changes;
    std::function<bool(const Program&, const fs::path&, int)> has_come;
};

std::size_t rows_in(const fs::path& folder) {
    return lines_of(contents(folder / "monitors/boundaries.csv")).size();
}

// There are no ranks yet in the first one.
std::vector<Moment> moments() {
    return {
        {"start",
         {},
         [](const Program& program, const fs::path&, int number) {
             return catches(program.process(), number);
         }},
        {"set-up",
         {"--set", "mesh.box.cells=60000"},
         [](const Program& program, const fs::path&, int) {
             return program.printed().find("device") != std::string::npos;
         }},
        {"first step",
         {},
         [](const Program&, const fs::path& folder, int) {
             return fs::exists(folder / "monitors/boundaries.csv");
         }},
        {"solve",
         {},
         [](const Program&, const fs::path& folder, int) { return rows_in(folder) > 3; }},
        {"output", {"--set", "output={every=1}"}, [](const Program&, const fs::path& folder, int) {
             return fs::exists(folder / "small_000002");
         }}};
}

// Every file is closed: whole lines, no parts, every state listed is there.
void expect_whole(const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        EXPECT_FALSE(name.ends_with(".part")) << entry.path();
        if (name.ends_with(".csv")) {
            EXPECT_TRUE(contents(entry.path()).ends_with("\n")) << entry.path();
        }
    }
    for (const std::string& line : lines_of(contents(folder / "small.pvd"))) {
        const std::size_t at = line.find("file=\"");
        if (at == std::string::npos) continue;
        const std::string file = line.substr(at + 6, line.find('"', at + 6) - at - 6);
        EXPECT_TRUE(fs::exists(folder / file)) << file;
    }
}

struct Signal {
    int number;
    std::string name;
};
const std::vector<Signal> that_stop{{SIGINT, "SIGINT"},
                                    {SIGTERM, "SIGTERM"},
                                    {SIGHUP, "SIGHUP"},
                                    {SIGXCPU, "SIGXCPU"},
                                    {SIGUSR2, "SIGUSR2"}};

void expect_stop(const Signal& signal, const Moment& moment) {
    SCOPED_TRACE(signal.name + " at " + moment.name);
    const Folder folder;
    const fs::path out = folder / "out";
    Arguments arguments{"run", folder.write("small.toml", endless), "-o", out, "--device", "cpu"};
    Program program(joined(arguments, moment.changes), {.ranks = 3});
    ASSERT_TRUE(waits_for([&] { return moment.has_come(program, out, signal.number); }));
    ASSERT_TRUE(program.is_running()) << program.printed();
    program.signal(signal.number);
    const auto sent = std::chrono::steady_clock::now();
    const Outcome outcome = program.wait(40);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count(), 15);
    EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
    const auto summary = summary_in(out);
    EXPECT_EQ(summary["status"], "stopped");
    EXPECT_EQ(summary["reason"], signal.name);
    EXPECT_EQ(summary["case"], "small");
    expect_whole(out);
}

TEST(Signals, StopTheRanksAtAnyMoment) {
    for (const Moment& moment : moments())
        for (const Signal& signal : that_stop) expect_stop(signal, moment);
}

TEST(Signals, ToOneRankStopAll) {
    for (const int rank : {0, 2}) {
        const Folder folder;
        const fs::path out = folder / "out";
        Program program({"run", folder.write("small.toml", endless), "-o", out, "--device", "cpu"},
                        {.ranks = 3});
        ASSERT_TRUE(waits_for([&] { return rows_in(out) > 3; }));
        const std::vector<pid_t> mpirun = children_of(program.process());
        ASSERT_EQ(mpirun.size(), 1u);
        const std::vector<pid_t> ranks = children_of(mpirun[0]);
        ASSERT_EQ(ranks.size(), 3u);
        kill(ranks[rank], SIGUSR2);
        const Outcome outcome = program.wait(40);
        EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
        EXPECT_EQ(summary_in(out)["reason"], "SIGUSR2");
    }
}

// Nobody reads what it prints: it goes on, and a signal ends it as ever.
TEST(Signals, OfAPipeEndNothing) {
    const Folder folder;
    const fs::path out = folder / "out";
    Program program({"run", folder.write("small.toml", endless), "-o", out, "--device", "cpu"}, {});
    ASSERT_TRUE(waits_for([&] { return rows_in(out) > 3; }));
    program.signal(SIGPIPE);
    program.signal(SIGXFSZ);
    const std::size_t rows = rows_in(out);
    EXPECT_TRUE(waits_for([&] { return rows_in(out) > rows + 3; }));
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(40).code, 3);
    EXPECT_EQ(summary_in(out)["status"], "stopped");
}

// SIGUSR1 at any moment: the state is written, and the run goes on.
TEST(Signals, OfSavingWriteTheState) {
    for (const Moment& moment : moments()) {
        SCOPED_TRACE(moment.name);
        const Folder folder;
        const fs::path out = folder / "out";
        Arguments arguments{"run",      folder.write("small.toml", endless),
                            "-o",       out,
                            "--device", "cpu",
                            "--set",    "output.vtk=true"};
        Program program(joined(arguments, moment.changes), {.ranks = 3});
        ASSERT_TRUE(waits_for([&] { return moment.has_come(program, out, SIGUSR1); }));
        program.signal(SIGUSR1);
        EXPECT_TRUE(waits_for([&] {
            return program.printed().find("SIGUSR1") != std::string::npos;
        })) << program.printed();
        const std::size_t rows = rows_in(out);
        EXPECT_TRUE(waits_for([&] { return rows_in(out) > rows + 1; }));
        program.signal(SIGTERM);
        const Outcome outcome = program.wait(40);
        EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
        expect_whole(out);
    }
}

// What a run that was stopped while it was set up found in its folder stays.
TEST(Signals, BeforeTheFirstStepKeepEarlierResults) {
    const Folder folder;
    const fs::path out = folder / "out";
    const Arguments arguments{"run", folder.write("small.toml", endless), "-o", out, "--device",
                              "cpu"};
    EXPECT_EQ(run_program(joined(arguments, {"--set", "time.end=2e-3"})).code, 0);
    const std::string summary = contents(out / "summary.json");
    EXPECT_NE(summary.find("\"done\""), std::string::npos);
    Program program(joined(arguments, {"--overwrite", "--set", "mesh.box.cells=60000"}), {});
    ASSERT_TRUE(waits_for([&] { return program.printed().find("device") != std::string::npos; }));
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(40).code, 3);
    EXPECT_EQ(contents(out / "summary.json"), summary);
}

// The script itself is killed: mpirun and its ranks end.
TEST(Signals, ThatKillTheLauncherEndItsRanks) {
    const Folder folder;
    const fs::path out = folder / "out";
    Program program({"run", folder.write("small.toml", endless), "-o", out, "--device", "cpu"},
                    {.ranks = 3});
    ASSERT_TRUE(waits_for([&] { return rows_in(out) > 3; }));
    const std::vector<pid_t> mpirun = children_of(program.process());
    ASSERT_EQ(mpirun.size(), 1u);
    std::vector<pid_t> all = children_of(mpirun[0]);
    ASSERT_EQ(all.size(), 3u);
    kill(all[1], SIGSTOP);  // a rank that can do nothing
    all.push_back(mpirun[0]);
    program.signal(SIGKILL);
    program.wait(40);
    EXPECT_TRUE(waits_for([&] { return std::ranges::all_of(all, is_gone); }));
}

}  // namespace
}  // namespace solenoid::test
