// What a run is asked for while it goes on: signals to a rank or to tools/mpirun, at any moment,
// control.toml, --wall-time and triggers.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iomanip>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace solenoid::test::end_to_end_steering_test {
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

std::vector<pid_t> ranks_of(const Program& program) {
    for (const pid_t child : children_of(program.process())) {
        std::string name;
        std::istringstream(contents(fs::path("/proc") / std::to_string(child) / "comm")) >> name;
        if (name == "mpirun") return children_of(child);
    }
    return {};
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

// Rows reach the file about every second.
std::size_t rows_in(const fs::path& folder) {
    return lines_of(contents(folder / "monitors/boundaries.csv")).size();
}
bool is_running_in(const fs::path& folder) { return fs::exists(folder / "summary.json"); }

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
         [](const Program&, const fs::path& folder, int) { return is_running_in(folder); }},
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

// Each signal at one moment, each moment with one signal.
TEST(Signals, StopTheRanks) {
    const std::vector<Moment> all = moments();
    for (std::size_t i = 0; i < all.size(); ++i) expect_stop(that_stop.at(i), all[i]);
}

// Each signal at each moment: tools/validate signals.
TEST(Signals, DISABLED_StopTheRanksAtAnyMoment) {
    for (const Moment& moment : moments())
        for (const Signal& signal : that_stop) expect_stop(signal, moment);
}

void expect_stop_by(std::size_t rank) {
    const Folder folder;
    const fs::path out = folder / "out";
    Program program({"run", folder.write("small.toml", endless), "-o", out, "--device", "cpu"},
                    {.ranks = 3});
    ASSERT_TRUE(waits_for([&] { return is_running_in(out); }));
    const std::vector<pid_t> ranks = ranks_of(program);
    ASSERT_EQ(ranks.size(), 3u);
    kill(ranks[rank], SIGUSR2);
    const Outcome outcome = program.wait(40);
    EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
    EXPECT_EQ(summary_in(out)["reason"], "SIGUSR2");
}

TEST(Signals, ToOneRankStopAll) { expect_stop_by(2); }
TEST(Signals, DISABLED_ToTheRootStopAll) { expect_stop_by(0); }

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

// The state is written, and the run goes on.
void expect_save(const Moment& moment) {
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
    EXPECT_TRUE(waits_for([&] { return program.printed().find("SIGUSR1") != std::string::npos; }))
        << program.printed();
    const std::size_t rows = rows_in(out);
    EXPECT_TRUE(waits_for([&] { return rows_in(out) > rows + 1; }));
    program.signal(SIGTERM);
    const Outcome outcome = program.wait(40);
    EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
    expect_whole(out);
}

TEST(Signals, OfSavingWriteTheState) { expect_save(moments().at(3)); }
TEST(Signals, DISABLED_OfSavingWriteTheStateAtAnyMoment) {
    for (const Moment& moment : moments()) expect_save(moment);
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
    ASSERT_TRUE(waits_for([&] { return is_running_in(out); }));
    std::vector<pid_t> all = ranks_of(program);
    ASSERT_EQ(all.size(), 3u);
    kill(all[1], SIGSTOP);  // a rank that can do nothing
    for (const pid_t child : children_of(program.process())) all.push_back(child);
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
        ASSERT_TRUE(waits_for([&] { return is_running_in(out); }));
        program.signal(row.number);
        EXPECT_EQ(program.wait(40).code, row.code);
        const auto summary = summary_in(out);
        if (row.number == SIGTERM && summary["status"] == "running") continue;  // killed before
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
        EXPECT_TRUE(waits_for([&] { return is_running_in(out); })) << program.printed();
    }

    // The answer to a request; the text before the comment is the request.
    std::string answer(const std::string& request) {
        const fs::path done = out / "control.done.toml", refused = out / "control.refused.toml";
        std::error_code ignored;
        fs::remove(done, ignored);
        fs::remove(refused, ignored);
        ask(out, request);
        EXPECT_TRUE(waits_for([&] {
            if (fs::exists(done) == fs::exists(refused)) return false;
            return contents(done).find("\n# done") != std::string::npos ||
                   (!fs::exists(done) &&
                    contents(refused).find("\n# not done") != std::string::npos);
        })) << program.printed();
        EXPECT_FALSE(fs::exists(out / "control.toml"));
        EXPECT_NE(fs::exists(done), fs::exists(refused));
        const std::string text = contents(fs::exists(done) ? done : refused);
        EXPECT_EQ(text.substr(0, request.size()), request);
        return text.substr(request.size());
    }
    // The step before which a request is answered, and one that comes some while after that.
    std::int64_t step_of(const std::string& answer) const {
        const std::size_t at = answer.find("before step ");
        EXPECT_NE(at, std::string::npos) << answer;
        return at == std::string::npos ? 0 : std::stoll(answer.substr(at + 12));
    }
    // Asks for something at a step that is still to come: request(step) is the text. Where others
    // need the processors, the run may be past it before it reads that; then of a later one.
    std::int64_t ask_ahead(const std::function<std::string(std::int64_t)>& request) {
        const std::int64_t first = step_of(answer("write = true\n")),
                           second = step_of(answer("write = true\n"));
        std::int64_t ahead = 3 * (second - first) + 10, step = second + ahead;
        for (int times = 0; times < 6; ++times) {
            const std::string answered = answer(request(step));
            if (answered.find(" is past") == std::string::npos) return step;
            ahead *= 4;
            step = step_of(answered) + ahead;
        }
        ADD_FAILURE() << "the run is always past what it is asked for: " << program.printed();
        return step;
    }
    nlohmann::json end(int code) {
        const Outcome outcome = program.wait(240);
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

// TEXT and a number with all its digits, on a line.
std::string line_of(const std::string& text, double number) {
    std::ostringstream line;
    line << text << std::setprecision(17) << number << '\n';
    return line.str();
}

std::size_t states_in(const fs::path& folder) {
    std::size_t count = 0;
    for (const std::string& line : lines_of(contents(folder / "small.pvd")))
        count += line.find("file=\"") != std::string::npos;
    return count;
}

TEST(Control, WritesOnceAndStops) {
    Steered run(endless, {"--set", "output.vtk=true"});
    EXPECT_TRUE(waits_for([&] { return states_in(run.out) == 1; }));
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

TEST(Control, StopsAtAStep) {
    Steered run;
    const std::int64_t step = run.ask_ahead(
        [](std::int64_t at) { return "stop_at_step = " + std::to_string(at) + "\n"; });
    const auto summary = run.end(3);
    EXPECT_EQ(summary["steps"], step);
    EXPECT_EQ(summary["reason"], "stop_at_step = " + std::to_string(step));
}

TEST(Control, StopsAtATime) {
    Steered run;  // a step takes 1e-3 s, and the one before ends there
    const auto time_of = [](std::int64_t step) { return 1e-3 * double(step) + 0.00025; };
    const double time = time_of(
        run.ask_ahead([&](std::int64_t at) { return line_of("stop_at_time = ", time_of(at)); }));
    const auto summary = run.end(3);
    EXPECT_NEAR(summary["time"].get<double>(), time, 1e-9 * time);
}

// Steps of at most a second up to 1e6 s; then others.
TEST(Control, ChangesKeysOfTheCase) {
    Steered run(endless, {"--set", "time={end=1e6, largest_step=1.0}", "--set", "output.vtk=true"});
    for (const char* key : {"every = 1", "wall_interval = 0.01"}) {
        run.answer("[output]\n" + std::string(key) + "\n");
        const std::size_t states = states_in(run.out);
        EXPECT_TRUE(waits_for([&] { return states_in(run.out) > states + 2; })) << key;
    }
    run.answer("[output]\ninterval = 1e6\n");
    run.answer("[time]\nend = 5e6\nlargest_step = 2e5\ntolerance = 1e-2\n");
    const auto summary = run.end(0);
    EXPECT_EQ(summary["status"], "done");
    EXPECT_EQ(summary["time"], 5e6);
    const std::string states = contents(run.out / "small.pvd");
    for (const char* time : {"1000000", "2000000", "3000000", "4000000", "5000000"})
        EXPECT_NE(states.find("timestep=\"" + std::string(time) + "\""), std::string::npos) << time;
}

TEST(Control, ChangesWhenThereAreCheckpoints) {
    Steered run(endless, {"--set", "checkpoint.keep=1000"}, 1);
    const auto checkpoints = [&] {
        std::error_code ignored;
        return std::distance(fs::directory_iterator(run.out / "checkpoints", ignored), {});
    };
    EXPECT_EQ(checkpoints(), 0);
    for (const char* key : {"every = 7", "interval = 0.02", "wall_interval = 0.05"}) {
        run.answer("[checkpoint]\n" + std::string(key) + "\n");
        const auto before = checkpoints();
        EXPECT_TRUE(waits_for([&] { return checkpoints() > before + 2; })) << key;
    }
    const std::string refused = run.answer("[checkpoint]\ninterval = 1e-300\n");
    EXPECT_NE(refused.find("[checkpoint] interval must be at least 1e-13 of time.end"),
              std::string::npos)
        << refused;
    run.answer("stop = true\n");
    run.end(3);
}

TEST(Control, LimitsTheSteps) {
    Steered run;
    const std::string steps = std::to_string(run.ask_ahead(
        [](std::int64_t at) { return "[time]\nsteps = " + std::to_string(at) + "\n"; }));
    const auto summary = run.end(0);
    EXPECT_EQ(summary["steps"], std::stoll(steps));
    EXPECT_EQ(summary["reason"], "time.steps = " + steps);
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
TEST(Control, RefusesWhatTheRunIsPast) {
    Steered run(endless, {"--set", "boundary.xmin.value=\"t\"", "--set", "checkpoint.keep=0"});
    for (const auto& [request, said] : std::vector<std::pair<std::string, std::string>>{
             {"\nstpo = true\n", "control.toml:2: unknown key \"stpo\"; did you mean \"stop\"?"},
             {"[time]\nend = 1e-9\n", "is past: the run is at"},
             {"[time]\nend = 1e7\n", "the formulas of t were examined at the start"},
             {"[time]\nsteps = 1\n", "is past: the run is at"},
             {"[output]\ninterval = 1e-300\n", "interval must be at least 1e-13 of time.end"},
             {"checkpoint = true\n", "the case has [checkpoint] keep = 0"},
             {"[checkpoint]\nevery = 3\n", "the case has [checkpoint] keep = 0"},
             {"stop_at_step = 1\n", "is past: the run is at"},
             {"stop_at_time = 1e-9\n", "is past: the run is at"}}) {
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
    const auto summary = summary_in(out);
    EXPECT_EQ(summary["reason"], "--wall-time");
    if (summary["steps"] > 20) {  // else the machine is so busy that a step had to be broken off
        EXPECT_NE(outcome.out.find("stopped by --wall-time at t = "), std::string::npos)
            << outcome.out;
        EXPECT_LT(summary["seconds"]["total"], 3.0);
    }
    expect_whole(out);
}

// A set-up that takes longer is broken off.
TEST(WallTime, EndsTheSetUp) {
    const Folder folder;
    const fs::path out = folder / "out";
    const Outcome outcome =
        run_program({"run", folder.write("small.toml", endless), "-o", out, "--device", "cpu",
                     "--wall-time", "0:00:01", "--set", "mesh.box.cells=600000"});
    EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
    const auto summary = summary_in(out);
    EXPECT_EQ(summary["reason"], "--wall-time");
    EXPECT_EQ(summary["steps"], 0);
}

TEST(WallTime, HasOneFormat) {
    const Folder folder;
    const Outcome outcome = run_program(
        {"run", folder.write("small.toml", endless), "-o", folder / "out", "--wall-time=90"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("is no time: write hours:minutes:seconds"), std::string::npos)
        << outcome.err;
    EXPECT_FALSE(fs::exists(folder / "out"));
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
step = 0.05
[[monitor]]
name = "probe"
type = "point"
at = [0.5, 0.5]
every = 1
)";

Outcome with_trigger(const Folder& folder, const std::string& trigger, int ranks = 3) {
    return run_program({"run", folder.write("small.toml", warming + "[[trigger]]\n" + trigger),
                        "-o", folder / "out", "--device", "cpu"},
                       {.ranks = ranks});
}

// A column of a table, and the times of its rows.
struct Column {
    std::vector<double> times, values;

    // The first time for which something holds; -1 without one.
    double first(const std::function<bool(double)>& holds) const {
        const auto found = std::ranges::find_if(values, holds);
        return found == values.end() ? -1 : times[found - values.begin()];
    }
};

Column column_of(const fs::path& csv, const std::string& name) {
    const auto cells_of = [](const std::string& line) {
        std::istringstream words(line);
        std::vector<std::string> cells;
        for (std::string cell; std::getline(words, cell, ',');) cells.push_back(cell);
        return cells;
    };
    const std::vector<std::string> lines = lines_of(contents(csv));
    Column column;
    if (lines.empty()) return column;
    const std::vector<std::string> names = cells_of(lines.front());
    const std::size_t at = std::ranges::find(names, name) - names.begin();
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string> cells = cells_of(lines[i]);
        column.times.push_back(std::stod(cells.at(0)));
        column.values.push_back(std::stod(cells.at(at)));
    }
    return column;
}

TEST(Triggers, StopARunThatIsThenDone) {
    const Folder folder;
    const Outcome outcome = with_trigger(
        folder, "monitor = \"probe\"\ncolumn = \"temperature\"\nabove = 0.5\naction = \"stop\"\n");
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const auto summary = summary_in(folder / "out");
    EXPECT_EQ(summary["status"], "done");
    const std::string reason = summary["reason"];
    EXPECT_NE(reason.find("temperature of probe is 0.5"), std::string::npos) << reason;
    EXPECT_NE(reason.find("small.toml:"), std::string::npos) << reason;
    const Column probe = column_of(folder / "out/monitors/probe.csv", "temperature");
    EXPECT_DOUBLE_EQ(probe.first([](double value) { return value > 0.5; }),
                     summary["time"].get<double>());
    EXPECT_LT(summary["time"], 1.0);
}

// Below a bound, and steady: each against the rows of the table itself. What names a trigger is
// recorded where it acts.
TEST(Triggers, WriteAndRecordWhereTheyAct) {
    const Folder folder;
    const std::string text = warming + R"([[monitor]]
name = "late"
type = "point"
at = [0.5, 0.5]
trigger = "cold"
[[trigger]]
name = "cold"
monitor = "boundaries"
column = "storage"
below = 0.1
action = "write"
[[trigger]]
monitor = "probe"
column = "temperature"
steady = 0.02
window = 0.5
from = 0.1
action = "stop"
)";
    const Outcome outcome = run_program(
        {"run", folder.write("small.toml", text), "-o", folder / "out", "--device", "cpu"},
        {.ranks = 3});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const fs::path monitors = folder / "out/monitors";
    const Column storage = column_of(monitors / "boundaries.csv", "storage");
    const double cold = storage.first([](double value) { return value < 0.1; });
    const double end = summary_in(folder / "out")["time"];
    EXPECT_GT(cold, 0.1);
    EXPECT_LT(cold, end);
    EXPECT_NE(outcome.out.find("storage of boundaries is 0.0"), std::string::npos) << outcome.out;
    EXPECT_EQ(column_of(monitors / "late.csv", "time").times, (std::vector<double>{0, cold, end}));
    EXPECT_EQ(states_in(folder / "out"), 3u);
    const std::string states = contents(folder / "out/small.pvd");
    std::ostringstream time;
    time << "timestep=\"" << cold;
    EXPECT_NE(states.find(time.str()), std::string::npos) << time.str() << '\n' << states;
    const std::string reason = summary_in(folder / "out")["reason"];
    EXPECT_NE(reason.find("steady within 0.02 over 0.5 s"), std::string::npos) << reason;
    // the last half second of the table lies within the part, the one before does not
    const Column probe = column_of(monitors / "probe.csv", "temperature");
    const auto variation = [&](double from) {
        double least = HUGE_VAL, greatest = 0;
        for (std::size_t i = 0; i < probe.times.size(); ++i) {
            if (probe.times[i] < from - 1e-6) continue;
            least = std::min(least, probe.values[i]);
            greatest = std::max(greatest, probe.values[i]);
        }
        return (greatest - least) / greatest;
    };
    EXPECT_LE(variation(end - 0.5), 0.02);
    EXPECT_GT(variation(end - 0.55), 0.02);
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

// In the last step, too: `time` of boundaries.csv passes 9.5 times what it was after the first of
// ten steps behind the ninth. What would write or stop then is told, and the run is done.
TEST(Triggers, OfTheLastStepCount) {
    for (const auto& [condition, code] : std::vector<std::pair<std::string, int>>{
             {"diverges = 9.5\nwindow = 0.02\n", 1}, {"above = 0.475\n", 0}}) {
        const Folder folder;
        const std::string text = warming +
                                 "[[trigger]]\nmonitor = \"boundaries\"\ncolumn = "
                                 "\"time\"\nfrom = 0.01\naction = \"stop\"\n" +
                                 condition;
        const Outcome outcome =
            run_program({"run", folder.write("small.toml", text), "-o", folder / "out", "--device",
                         "cpu", "--set", "time.end=0.5"},
                        {.ranks = 2});
        EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
        EXPECT_EQ(summary_in(folder / "out")["status"], code ? "failed" : "done");
        EXPECT_DOUBLE_EQ(summary_in(folder / "out")["time"].get<double>(), 0.5);
        EXPECT_NE(outcome.out.find("time of boundaries is 0.5 at t = 0.5 s"), std::string::npos)
            << outcome.out;
    }
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
              "action must be \"write\", \"checkpoint\", \"stop\" or \"none\""},
             {"monitor = \"probe\"\ncolumn = \"temperature\"\nabove = 1\n", "the key \"action\""},
             {"name = \"hot\"\nmonitor = \"probe\"\ncolumn = \"temperature\"\nabove = 1\n[output]\n"
              "trigger = \"hto\"\n",
              "no [[trigger]] has the name \"hto\"; did you mean \"hot\"?"}}) {
        const Folder folder;
        const Outcome outcome = with_trigger(folder, trigger, 1);
        EXPECT_EQ(outcome.code, 2) << trigger << outcome.out << outcome.err;
        EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("small.toml:"), std::string::npos) << outcome.err;
    }
}

}  // namespace
}  // namespace solenoid::test::end_to_end_steering_test
