// What a run is asked for while it goes on: signals to a rank or to tools/mpirun, at any moment,
// control.toml, --wall-time and triggers.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cmath>
#include <functional>
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
    Program program(joined(arguments, {"--set", "mesh.box.cells=60000"}), {});
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

// docs/steering.md, "Launchers": what Open MPI's own mpirun makes of signals.
TEST(Signals, ToPlainMpirunDoWhatTheDocsSay) {
    struct Row {
        int number, code;
        std::string reason, docs;
    };
    const std::string page = contents(source("docs/steering.md"));
    for (const Row& row :
         {Row{SIGUSR2, 3, "SIGUSR2",
              "| `mpirun` | SIGUSR2, SIGXCPU | hands it on: code 3, reason `SIGUSR2`, `SIGXCPU` |"},
          Row{SIGXCPU, 3, "SIGXCPU", ""},
          Row{SIGTERM, 1, "SIGTERM",
              "| `mpirun` | SIGTERM, SIGINT, SIGHUP | sends SIGTERM, and SIGKILL a second later: "
              "code 1, reason `SIGTERM` if a step took less |"}}) {
        SCOPED_TRACE(row.number);
        EXPECT_NE(page.find(row.docs), std::string::npos) << row.docs;
        const Folder folder;
        const fs::path out = folder / "out";
        Program program({"run", folder.write("small.toml", endless), "-o", out, "--device", "cpu",
                         "--set", "mesh.box.cells=100"},
                        {.ranks = 2,
                         .mpirun = "mpirun",
                         .environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                         {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                         {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                         {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                                         {"OMPI_MCA_mpi_yield_when_idle", "1"},
                                         {"OMPI_MCA_plm_rsh_agent", ""}}});
        ASSERT_TRUE(waits_for([&] { return rows_in(out) > 3; }));
        program.signal(row.number);
        EXPECT_EQ(program.wait(40).code, row.code);
        const auto summary = summary_in(out);
        EXPECT_EQ(summary["status"], "stopped");
        EXPECT_EQ(summary["reason"], row.reason);
    }
}

// ---- control.toml

// Writes a request as docs/steering.md advises: whole, by a new name.
void ask(const fs::path& folder, const std::string& text) {
    std::ofstream(folder / "request", std::ios::binary) << text;
    fs::rename(folder / "request", folder / "control.toml");
}

// A run on three ranks that is asked for things.
class Steered {
  public:
    explicit Steered(const std::string& text = endless, const Arguments& changes = {},
                     int ranks = 3)
        : out(folder_ / "out"),
          program(joined({"run", folder_.write("small.toml", text), "-o", out, "--device", "cpu",
                          "--set", "mesh.box.cells=300"},
                         changes),
                  {.ranks = ranks}) {
        EXPECT_TRUE(waits_for([&] { return rows_in(out) > 2; })) << program.printed();
    }

    // The answer to a request; the text before the comment is the request.
    std::string answer(const std::string& request) {
        const fs::path done = out / "control.done.toml", refused = out / "control.refused.toml";
        std::error_code ignored;
        fs::remove(done, ignored);
        fs::remove(refused, ignored);
        ask(out, request);
        EXPECT_TRUE(waits_for([&] {
            return contents(done).find("\n# done") != std::string::npos ||
                   contents(refused).find("\n# not done") != std::string::npos;
        })) << program.printed();
        EXPECT_FALSE(fs::exists(out / "control.toml"));
        EXPECT_NE(fs::exists(done), fs::exists(refused));
        const std::string text = contents(fs::exists(done) ? done : refused);
        EXPECT_EQ(text.substr(0, request.size()), request);
        return text.substr(request.size());
    }
    nlohmann::json end(int code) {
        const Outcome outcome = program.wait(60);
        EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
        printed = outcome.out + outcome.err;
        return summary_in(out);
    }

  private:
    Folder folder_;

  public:
    const fs::path out;
    Program program;
    std::string printed;
};

std::size_t states_in(const fs::path& folder) {
    std::size_t count = 0;
    for (const std::string& line : lines_of(contents(folder / "small.pvd")))
        count += line.find("file=\"") != std::string::npos;
    return count;
}

TEST(Control, WritesOnceAndStops) {
    Steered run(endless, {"--set", "output.vtk=true"});
    EXPECT_EQ(states_in(run.out), 1u);
    EXPECT_NE(run.answer("write = true\n").find(": write"), std::string::npos);
    EXPECT_TRUE(waits_for([&] { return states_in(run.out) == 2; }));
    const std::size_t rows = rows_in(run.out);
    EXPECT_TRUE(waits_for([&] { return rows_in(run.out) > rows + 3; }));
    EXPECT_EQ(states_in(run.out), 2u);
    EXPECT_NE(run.answer("stop = true\n").find(": stop"), std::string::npos);
    const auto summary = run.end(3);
    EXPECT_EQ(summary["status"], "stopped");
    EXPECT_EQ(summary["reason"], "control.toml");
    EXPECT_EQ(states_in(run.out), 3u);
    EXPECT_NE(run.printed.find("control.toml before step "), std::string::npos) << run.printed;
    expect_whole(run.out);
}

TEST(Control, StopsAtAStepOrATime) {
    {
        Steered run;
        const int step = static_cast<int>(rows_in(run.out)) + 2000;
        run.answer("stop_at_step = " + std::to_string(step) + "\n");
        const auto summary = run.end(3);
        EXPECT_EQ(summary["steps"], step);
        EXPECT_EQ(summary["reason"], "stop_at_step = " + std::to_string(step));
    }
    Steered run;  // between the steps' own times
    const double time = std::floor(1e-3 * static_cast<double>(rows_in(run.out)) + 3) + 0.00025;
    run.answer("stop_at_time = " + std::to_string(time) + "\n");
    const auto summary = run.end(3);
    EXPECT_NEAR(summary["time"].get<double>(), time, 1e-9);
}

TEST(Control, ChangesKeysOfTheCase) {
    Steered run(endless, {"--set", "time={end=1e6}", "--set", "output.vtk=true"});
    run.answer("[time]\nend = 5e6\nlargest_step = 1e4\ntolerance = 1e-2\n");
    run.answer("[output]\nevery = 1\n");
    const std::size_t states = states_in(run.out);
    EXPECT_TRUE(waits_for([&] { return states_in(run.out) > states + 2; }));
    run.answer("[output]\ninterval = 1e6\n");  // instead of every
    const auto summary = run.end(0);
    EXPECT_EQ(summary["status"], "done");
    EXPECT_EQ(summary["time"], 5e6);
}

TEST(Control, LimitsTheSteps) {
    Steered run;
    const int steps = static_cast<int>(rows_in(run.out)) + 2000;
    run.answer("[time]\nsteps = " + std::to_string(steps) + "\n");
    const auto summary = run.end(0);
    EXPECT_EQ(summary["steps"], steps);
    EXPECT_EQ(summary["reason"], "time.steps = " + std::to_string(steps));
}

// A flow's steps follow a new Courant number; one beyond the scheme's limit is refused.
TEST(Control, ChangesTheCourantNumber) {
    const std::string text = R"(name = "small"
physics = "flow"
[mesh.box]
cells = 300
dimension = 2
[fluid]
viscosity = 0.01
[boundary]
ymax = {type = "wall", velocity = [1, 0]}
default = {type = "wall"}
[time]
end = 1e6
tolerance = 0.5
courant = 0.4
[output]
vtk = false
)";
    const Folder folder;
    const fs::path out = folder / "out";
    Program program({"run", folder.write("small.toml", text), "-o", out, "--device", "cpu"},
                    {.ranks = 3});
    const auto courant = [&] {
        const std::vector<std::string> lines = lines_of(contents(out / "monitors/flow.csv"));
        if (lines.size() < 3) return 0.0;
        std::istringstream cells(lines[lines.size() - 2]);
        std::string cell;
        for (int i = 0; i < 3; ++i) std::getline(cells, cell, ',');
        return std::stod(cell);
    };
    ASSERT_TRUE(waits_for([&] { return courant() > 0.35; }));
    ask(out, "[time]\ncourant = 0.1\nsteady_tolerance = 1e-12\n");
    EXPECT_TRUE(waits_for([&] { return courant() < 0.11; })) << courant();
    ask(out, "[time]\ncourant = 1000\n");
    EXPECT_TRUE(waits_for([&] { return fs::exists(out / "control.refused.toml"); }));
    ask(out, "stop = true\n");
    const Outcome outcome = program.wait(60);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("exceeds the limit of the scheme"), std::string::npos)
        << outcome.err;
}

// A bad request changes nothing; the answer names the place and a remedy, and the run goes on.
TEST(Control, RefusesWhatACaseCouldNotHave) {
    Steered run(endless, {"--set", "boundary.xmin.value=\"t\""});
    for (const auto& [request, said] : std::vector<std::pair<std::string, std::string>>{
             {"stop = maybe\n", "control.toml:1: not valid TOML"},
             {"\nstpo = true\n", "control.toml:2: unknown key \"stpo\"; did you mean \"stop\"?"},
             {"stop = 1\n", "control.toml:1: stop must be"},
             {"write = false\n", "asks for nothing: give write, stop,"},
             {"[time]\nnd = 3\n",
              "control.toml:2: unknown key \"nd\" in [time]; did you mean \"end\"?"},
             {"[time]\nstep = 3.0\n",
              "control.toml:2: [time] step cannot change while the case runs; these can: "},
             {"[time]\ntolerance = 0.1\n",
              "control.toml:2: [time] tolerance goes not together with step of the case"},
             {"[time]\nend = -1\n", "control.toml:2: [time] end must be"},
             {"[time]\nend = 1e-9\n", "is past: the run is at"},
             {"[time]\nend = 1e7\n", "the formulas of t were examined at the start"},
             {"[time]\nsteps = 1\n", "is past: the run is at"},
             {"stop_at_step = 1\n", "is past: the run is at"},
             {"stop_at_time = 1e-9\n", "is past: the run is at"},
             {"[output]\nevery = 3\ninterval = 2.0\n", "[output] every and \"interval\": give one"},
             {"[mesh]\nscale = 2.0\n", "control.toml:1: unknown key \"mesh\""},
             {"time = 3\n", "control.toml:1: "}}) {
        const std::string answer = run.answer(request);
        EXPECT_NE(answer.find("# not done before step "), std::string::npos) << answer;
        EXPECT_NE(answer.find(said), std::string::npos) << request << answer;
    }
    EXPECT_TRUE(run.program.is_running());
    run.answer("stop = true");  // without an end of line
    const auto summary = run.end(3);
    EXPECT_NE(run.printed.find("warning: control.toml:2: unknown key \"stpo\""), std::string::npos)
        << run.printed;
}

// A file that lay there before the run is none of its requests; an empty one is not finished.
TEST(Control, TakesNoFileFromBeforeTheRun) {
    const Folder folder;
    const fs::path out = folder / "out";
    fs::create_directories(out);
    std::ofstream(out / "control.toml") << "stop = true\n";
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    Program program({"run", folder.write("small.toml", endless), "-o", out, "--device", "cpu"}, {});
    ASSERT_TRUE(waits_for([&] { return rows_in(out) > 3; }));
    EXPECT_TRUE(contents(out / "control.refused.toml").starts_with("stop = true\n"));
    std::ofstream(out / "control.toml").flush();
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    EXPECT_TRUE(program.is_running());
    EXPECT_TRUE(fs::exists(out / "control.toml"));
    std::ofstream(out / "control.toml") << "stop = true\n";
    EXPECT_EQ(program.wait(40).code, 3);
}

// ---- the limit of wall time

TEST(WallTime, StopsTheRun) {
    const Folder folder;
    const fs::path out = folder / "out";
    const Outcome outcome = run_program({"run", folder.write("small.toml", endless), "-o", out,
                                         "--device", "cpu", "--wall-time", "0:00:03"},
                                        {.ranks = 3});
    EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("stopped by --wall-time at t = "), std::string::npos) << outcome.out;
    const auto summary = summary_in(out);
    EXPECT_EQ(summary["reason"], "--wall-time");
    EXPECT_LT(summary["seconds"]["total"], 3.0);
    expect_whole(out);
}

// A set-up that takes longer is broken off.
TEST(WallTime, EndsTheSetUp) {
    const Folder folder;
    const fs::path out = folder / "out";
    const Outcome outcome =
        run_program({"run", folder.write("small.toml", endless), "-o", out, "--device", "cpu",
                     "--wall-time", "0:00:01", "--set", "mesh.box.cells=2000000"});
    EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
    const auto summary = summary_in(out);
    EXPECT_EQ(summary["reason"], "--wall-time");
    EXPECT_EQ(summary["steps"], 0);
}

TEST(WallTime, HasOneFormat) {
    const Folder folder;
    const fs::path file = folder.write("small.toml", endless);
    for (const std::string text : {"90", "3:50", "0:60:00", "0:00:00", "-1:00:00", "1:00:00h"}) {
        const Outcome outcome =
            run_program({"run", file, "-o", folder / "out", "--wall-time=" + text});
        EXPECT_EQ(outcome.code, 2) << text;
        EXPECT_NE(outcome.err.find("is no time: write hours:minutes:seconds"), std::string::npos)
            << outcome.err;
        EXPECT_FALSE(fs::exists(folder / "out"));
    }
}

// ---- triggers

// Heat into a body that starts cold: `storage` falls from its start to 0.
const std::string warming = R"(name = "small"
[mesh.box]
cells = 300
dimension = 2
[material.default]
conductivity = 1
heat_capacity = 1
[boundary]
xmin = {type = "temperature", value = 1}
default = {type = "insulated"}
[initial]
temperature = 0
[time]
end = 20
step = 0.02
[output]
every = 1
vtk = false
[[monitor]]
name = "probe"
type = "point"
at = [0.5, 0.5]
)";

Outcome with_trigger(const Folder& folder, const std::string& trigger, int ranks = 3) {
    return run_program({"run", folder.write("small.toml", warming + "[[trigger]]\n" + trigger),
                        "-o", folder / "out", "--device", "cpu"},
                       {.ranks = ranks});
}

// The first row of a table for which something holds; its time.
double first_time(const fs::path& csv, int column, const std::function<bool(double)>& holds) {
    for (const std::string& line : lines_of(contents(csv))) {
        std::istringstream cells(line);
        std::vector<std::string> values;
        for (std::string cell; std::getline(cells, cell, ',');) values.push_back(cell);
        if (values[0] != "time" && holds(std::stod(values.at(column)))) return std::stod(values[0]);
    }
    return -1;
}

TEST(Triggers, StopARunThatIsThenDone) {
    struct Case {
        std::string trigger;
        std::function<bool(double)> holds;
    };
    for (const Case& one :
         {Case{"monitor = \"probe\"\ncolumn = \"temperature\"\nabove = 0.5\naction = \"stop\"\n",
               [](double value) { return value > 0.5; }}}) {
        const Folder folder;
        const Outcome outcome = with_trigger(folder, one.trigger);
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        const auto summary = summary_in(folder / "out");
        EXPECT_EQ(summary["status"], "done");
        EXPECT_NE(summary["reason"].get<std::string>().find("temperature of probe is 0.5"),
                  std::string::npos)
            << summary["reason"];
        EXPECT_NE(summary["reason"].get<std::string>().find("small.toml:"), std::string::npos);
        const fs::path csv = folder / "out/monitors/probe.csv";
        EXPECT_DOUBLE_EQ(first_time(csv, 4, one.holds), summary["time"].get<double>());
        EXPECT_LT(summary["time"], 1.0);
    }
}

// Below a bound, steady, and grown: each against the rows of the table itself.
TEST(Triggers, SeeBoundsSteadinessAndGrowth) {
    const Folder folder;
    const std::string text =
        warming +
        "[[trigger]]\nmonitor = \"boundaries\"\ncolumn = \"storage\"\nbelow = 0.1\naction = "
        "\"write\"\n"
        "[[trigger]]\nmonitor = \"probe\"\ncolumn = \"temperature\"\nsteady = 1e-3\nwindow = "
        "0.5\nfrom = 0.1\naction = \"stop\"\n";
    const Outcome outcome = run_program(
        {"run", folder.write("small.toml", text), "-o", folder / "out", "--device", "cpu", "--set",
         "output={interval=50}", "--set", "output.vtk=true", "--set", "output.every=1"},
        {.ranks = 3});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("storage of boundaries is 0.09"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(": write"), std::string::npos) << outcome.out;
    const auto summary = summary_in(folder / "out");
    EXPECT_NE(summary["reason"].get<std::string>().find("steady within 0.001 over 0.5 s"),
              std::string::npos)
        << summary["reason"];
    // the last half second of the table lies within the part
    double least = HUGE_VAL, greatest = 0;
    const double end = summary["time"];
    (void)first_time(folder / "out/monitors/probe.csv", 0, [](double) { return false; });
    for (const std::string& line : lines_of(contents(folder / "out/monitors/probe.csv"))) {
        if (line.starts_with("time")) continue;
        const double time = std::stod(line), value = std::stod(line.substr(line.rfind(',') + 1));
        if (time < end - 0.5 - 1e-6) continue;
        least = std::min(least, value);
        greatest = std::max(greatest, value);
    }
    EXPECT_LE(greatest - least, 1e-3 * greatest);
    EXPECT_GT(end, 1.0);
    EXPECT_LT(end, 19.0);
}

TEST(Triggers, OfWhatDivergesFailTheRun) {
    const Folder folder;
    const Outcome outcome = with_trigger(folder,
                                         "monitor = \"probe\"\ncolumn = \"temperature\"\ndiverges "
                                         "= 3\nwindow = 0.1\naction = \"stop\"\n");
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find("more than 3 times what it was in its first 0.1 s"),
              std::string::npos)
        << outcome.err;
    EXPECT_EQ(summary_in(folder / "out")["status"], "failed");
}

TEST(Triggers, AreCheckedBeforeTheFirstStep) {
    for (const auto& [trigger, said] : std::vector<std::pair<std::string, std::string>>{
             {"monitor = \"prob\"\ncolumn = \"temperature\"\nabove = 1\naction = \"stop\"\n",
              "there is no \"prob\"; did you mean \"probe\"? the case has: \"probe\", "
              "\"boundaries\""},
             {"monitor = \"probe\"\ncolumn = \"temprature\"\nabove = 1\naction = \"stop\"\n",
              "\"probe\" has no \"temprature\"; did you mean \"temperature\"? it has: \"time\""},
             {"monitor = \"probe\"\ncolumn = \"temperature\"\naction = \"stop\"\n",
              "[[trigger]] needs one of above, below, steady, diverges"},
             {"monitor = \"probe\"\ncolumn = \"temperature\"\nabove = 1\nbelow = 0\naction = "
              "\"stop\"\n",
              "and \"above\": give one of them"},
             {"monitor = \"probe\"\ncolumn = \"temperature\"\nsteady = 0.1\naction = \"stop\"\n",
              "the key \"window\""},
             {"monitor = \"probe\"\ncolumn = \"temperature\"\nabove = 1\naction = \"stpo\"\n",
              "action must be \"write\" or \"stop\""}}) {
        const Folder folder;
        const Outcome outcome = with_trigger(folder, trigger, 1);
        EXPECT_EQ(outcome.code, 2) << trigger << outcome.out << outcome.err;
        EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("small.toml:"), std::string::npos) << outcome.err;
    }
}

// The root reads the case for all ranks, so that it may come from a pipe.
TEST(CaseFile, IsReadByTheRootAlone) {
    const Folder folder;
    const fs::path pipe = folder / "pipe.toml";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    Program program({"run", pipe, "-o", folder / "out", "--device", "cpu", "--set", "time.end=2e-3",
                     "--set", "mesh.box.cells=300"},
                    {.ranks = 3});
    std::ofstream(pipe) << endless;  // waits for its reader
    EXPECT_EQ(program.wait(40).code, 0);
}

}  // namespace
}  // namespace solenoid::test
