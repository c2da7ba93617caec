// Runs that are broken off and go on from a checkpoint: `solenoid restart`, `run --continue`.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace solenoid::test::end_to_end_restart_test {
namespace {

using Arguments = std::vector<std::string>;

// Every kind of output, due at steps, at times, and with the states.
const std::string output = R"toml(
[output]
every = 4
[average]
from = 0.05
[[monitor]]
type = "point"
name = "point"
at = [0.4, 0.6]
every = 3
[[monitor]]
type = "line"
name = "line"
from = [0, 0.5]
to = [1, 0.5]
points = 5
[[picture]]
name = "field"
every = 5
width = 60
height = 40
[checkpoint]
every = 6
)toml";

const std::string flow = R"toml(name = "small"
physics = "flow"
[mesh.box]
cells = 300
dimension = 2
[fluid]
viscosity = 0.01
gravity = [0, -1]
[scalar.T]
diffusivity = 0.01
expansion = 0.5
initial = "x"
[boundary]
ymax = {type = "wall", velocity = ["1 + 0.2*sin(5*t)", 0], T = "1 + 0.3*sin(3*t)"}
default = {type = "wall"}
[time]
end = 1
)toml" + output;

// A stream that swings, and a force whose two forms are compared over the run.
const std::string stream = R"toml(name = "small"
physics = "flow"
[mesh.box]
cells = 300
dimension = 2
[fluid]
viscosity = 0.001
[boundary]
ymin = {type = "wall"}
default = {type = "inflow", velocity = ["sin(9*t)", 0]}
[time]
step = 0.008
end = 1
[[monitor]]
type = "force"
name = "floor"
boundaries = ["ymin"]
)toml" + output;

const std::string heat = R"toml(name = "small"
physics = "heat"
[mesh.box]
cells = 300
dimension = 2
[material.default]
conductivity = 1
heat_capacity = 1
[boundary]
xmin = {type = "temperature", value = "sin(4*t)"}
ymax = {type = "convection", h = 2, T_inf = 3}
default = {type = "insulated"}
[initial]
temperature = "x*y"
[time]
end = 1
)toml" + output;

const std::string wave = R"toml(name = "small"
physics = "wave"
[mesh.box]
cells = 300
dimension = 2
[wave]
speed = 1
[boundary]
xmin = {type = "fixed", value = "0.1*sin(4*t)"}
default = {type = "fixed"}
[initial]
displacement = "sin(pi*x)*sin(pi*y)"
[time]
end = 1
)toml" + output;

nlohmann::json summary_in(const fs::path& folder) {
    const auto summary = nlohmann::json::parse(contents(folder / "summary.json"), nullptr, false);
    EXPECT_FALSE(summary.is_discarded()) << "no summary in " << folder;
    return summary;
}

std::vector<std::string> checkpoints_in(const fs::path& folder) {
    std::vector<std::string> names;
    if (fs::exists(folder / "checkpoints"))
        for (const auto& entry : fs::directory_iterator(folder / "checkpoints"))
            names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}
std::string name_of(int step) {
    const std::string digits = std::to_string(step);
    return "step-" + std::string(10 - digits.size(), '0') + digits + ".checkpoint";
}

bool waits_for(const std::function<bool()>& condition, double seconds = 40) {
    for (double t = 0; t < seconds; t += 0.002) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
}

Outcome program(const Arguments& arguments, int ranks = 1) {
    return run_program(
        joined(arguments, arguments.front() == "diff" ? Arguments{} : Arguments{"--device", "cpu"}),
        {.ranks = ranks});
}
Arguments set(const Arguments& keys) {
    Arguments words;
    for (const std::string& key : keys) words = joined(words, {"--set", key});
    return words;
}

#define EXPECT_CODE(expected, outcome)                    \
    do {                                                  \
        const Outcome& of = outcome;                      \
        EXPECT_EQ(of.code, expected) << of.out << of.err; \
    } while (false)

void expect_same_bits(const fs::path& a, const fs::path& b) {
    EXPECT_CODE(0, program({"diff", a, b}));
}

// A case, its run that nothing disturbs, and the folder of one that is broken off.
struct Case {
    explicit Case(const std::string& text, const Arguments& keys = {"time.steps=20"}, int ranks = 1)
        : file(folder.write("small.toml", text)), ranks(ranks) {
        if (!keys.empty()) EXPECT_CODE(0, run(whole(), set(keys)));
    }
    Outcome run(const fs::path& out, const Arguments& more) const {
        return program(joined({"run", file, "-o", out}, more), ranks);
    }
    Outcome restart(const Arguments& more, int on = 0) const {
        return program(joined({"restart", broken()}, more), on ? on : ranks);
    }
    fs::path whole() const { return folder / "whole"; }
    fs::path broken() const { return folder / "broken"; }

    Folder folder;
    fs::path file;
    int ranks;
};

// ---- the same bits

void expect_continues(const std::string& text, int ranks, const Arguments& more = {}) {
    SCOPED_TRACE(text.substr(text.find("physics"), 16) + ", ranks: " + std::to_string(ranks));
    const Case c(text, {}, ranks);
    EXPECT_CODE(0, c.run(c.whole(), joined(set({"time.steps=20"}), more)));
    EXPECT_CODE(0, c.run(c.broken(), joined(set({"time.steps=8"}), more)));
    EXPECT_EQ(checkpoints_in(c.broken()), (Arguments{name_of(6), name_of(8)}));
    EXPECT_CODE(0, c.restart(set({"time.steps=15"})));  // a state is due at neither
    EXPECT_CODE(0, c.restart(set({"time.steps=20"})));
    expect_same_bits(c.whole(), c.broken());
    const auto a = summary_in(c.whole()), b = summary_in(c.broken());
    EXPECT_EQ(b["continued"]["parts"], 2);
    ASSERT_EQ(a["solves"].size(), b["solves"].size());
    for (std::size_t i = 0; i < a["solves"].size(); ++i)
        for (const char* key : {"name", "count", "iterations", "residual"})
            EXPECT_EQ(a["solves"][i][key], b["solves"][i][key]) << key;
    for (const char* key : {"steps", "time", "status", "reason", "ranges", "max_divergence",
                            "courant", "energy_loss", "forces", "pictures"})
        EXPECT_EQ(a.value(key, nlohmann::json()), b.value(key, nlohmann::json())) << key;
}

TEST(Restart, GoesOnWithAFlow) { expect_continues(flow, 1); }
TEST(Restart, GoesOnWithAFlowOnTwoRanks) { expect_continues(flow, 2); }
TEST(Restart, GoesOnWithAStreamThatSwings) {
    expect_continues(stream, 1);
    expect_continues(stream, 1, set({"flow.method=classical", "flow.time_scheme=midpoint"}));
}
TEST(Restart, GoesOnWithHeat) {
    expect_continues(heat, 1);
    expect_continues(heat, 2);
}
TEST(Restart, GoesOnWithAWave) {
    expect_continues(wave, 1);
    expect_continues(wave, 2, {"--precision", "single"});
}
TEST(Restart, GoesOnInMixedPrecisionWithFixedSteps) {
    expect_continues(
        flow, 1,
        joined(set({"time.step=0.01", "flow.method=classical"}), {"--precision", "mixed"}));
}

// A run that is killed at any moment, and one that is stopped by a signal.
TEST(Restart, GoesOnAfterAKill) {
    const Case c(flow, {});
    const Arguments keys = set({"checkpoint.every=1", "time.end=100", "time.steps=120"});
    EXPECT_CODE(0, c.run(c.whole(), keys));
    const auto is_broken_off_by = [&](int number, int code, int step) {
        Program run(
            joined({"run", c.file, "-o", c.broken(), "--device", "cpu", "--continue"}, keys), {});
        ASSERT_TRUE(waits_for([&] {
            const auto names = checkpoints_in(c.broken());
            return !names.empty() && names.back() >= name_of(step) && names.back().size() == 26;
        })) << run.printed();
        run.signal(number);
        const Outcome outcome = run.wait();
        EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    };
    is_broken_off_by(SIGKILL, 128 + SIGKILL, 20);
    is_broken_off_by(SIGTERM, 3, 60);
    EXPECT_CODE(0, c.restart({}));
    expect_same_bits(c.whole(), c.broken());
    EXPECT_EQ(summary_in(c.broken())["continued"]["parts"], 2);
}

TEST(Restart, TakesAnyRanksAndPrecision) {
    const Case c(flow);
    EXPECT_CODE(0, c.run(c.broken(), set({"time.steps=8"})));
    EXPECT_CODE(0, c.restart(set({"time.steps=14"}), 3));
    EXPECT_CODE(0, c.restart(joined({"--precision", "mixed"}, set({"time.steps=20"})), 2));
    for (const std::string name :
         {"small_000020.pvtu", "monitors/T.csv", "monitors/point.csv", "monitors/line.csv"}) {
        EXPECT_CODE(1, program({"diff", c.whole() / name, c.broken() / name}));
        EXPECT_CODE(0,
                    program({"diff", c.whole() / name, c.broken() / name, "--tolerance", "1e-6"}));
    }
}

// With --reproducible, which the checkpoint knows, the ranks do not matter.
TEST(Restart, IsReproducibleOnOtherRanks) {
    const Case c(heat, {});
    EXPECT_CODE(0, c.run(c.whole(), joined({"--reproducible"}, set({"time.steps=20"}))));
    EXPECT_CODE(0, c.run(c.broken(), joined({"--reproducible"}, set({"time.steps=8"}))));
    EXPECT_CODE(0, c.restart(set({"time.steps=20"}), 3));
    expect_same_bits(c.whole(), c.broken());
}

// What a run started from need not be there any more.
TEST(Restart, NeedsNoInitialState) {
    const Case c(flow, {});
    const fs::path before = c.folder / "before";
    EXPECT_CODE(0, c.run(before, set({"time.steps=5"})));
    const Arguments initial = set({"initial.file=" + before.string(), "scalar.T.initial=0"});
    EXPECT_CODE(0, c.run(c.whole(), joined(initial, set({"time.steps=20"}))));
    EXPECT_CODE(0, c.run(c.broken(), joined(initial, set({"time.steps=8"}))));
    fs::remove_all(before);
    EXPECT_CODE(0, c.restart(set({"time.steps=20"})));
    expect_same_bits(c.whole(), c.broken());
}

// ---- what it finds

TEST(Restart, TakesTheLastThatIsWhole) {
    const Case c(heat);
    EXPECT_CODE(0, c.run(c.broken(), set({"time.steps=8"})));
    const fs::path last = c.broken() / "checkpoints" / name_of(8);
    fs::resize_file(last, fs::file_size(last) / 2);
    const Outcome outcome = c.restart(set({"time.steps=20"}));
    EXPECT_CODE(0, outcome);
    EXPECT_NE(outcome.err.find(name_of(8)), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("going on from step 6"), std::string::npos) << outcome.err;
    expect_same_bits(c.whole(), c.broken());
}

TEST(Restart, RefusesWhereNoneIsWhole) {
    const Case c(heat, {});
    EXPECT_CODE(0, c.run(c.broken(), set({"time.steps=8"})));
    for (const std::string& name : checkpoints_in(c.broken()))
        fs::resize_file(c.broken() / "checkpoints" / name, 1000);
    const std::string summary = contents(c.broken() / "summary.json");
    const Outcome outcome = c.restart({});
    EXPECT_CODE(2, outcome);
    EXPECT_NE(outcome.err.find("no checkpoint is whole"), std::string::npos) << outcome.err;
    EXPECT_EQ(contents(c.broken() / "summary.json"), summary);
}

TEST(Restart, RefusesWhatItCannotTakeUp) {
    const Case c(flow, {});
    EXPECT_CODE(0, c.run(c.broken(), set({"time.steps=8"})));
    const auto left = [&] {
        std::string all;
        for (const auto& entry : fs::recursive_directory_iterator(c.broken()))
            if (entry.is_regular_file()) all += entry.path().string() + contents(entry.path());
        return all.size();
    };
    const std::size_t before = left();
    for (const auto& [keys, said] : std::vector<std::pair<Arguments, std::string>>{
             {{"mesh.box.cells=400"}, "the mesh has changed since it was written: it had "},
             {{"mesh.box.jitter=0.1"}, "positions, numbers, regions or boundaries differ"},
             {{"mesh.box.dimension=3"}, "the mesh has changed"},
             {{"flow.method=classical"}, "which the case"},
             {{"time.stepp=1"}, "unknown key"},
             {{"flow.time_scheme=midpoint"}, "which the case"}}) {
        const Outcome outcome = c.restart(set(keys));
        EXPECT_EQ(outcome.code, 2) << keys.front() << outcome.out << outcome.err;
        EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
        EXPECT_EQ(left(), before) << keys.front();
    }
    const fs::path other = c.folder.write("other/small.toml", heat);
    Outcome outcome = program({"run", other, "-o", c.broken(), "--continue"});
    EXPECT_CODE(2, outcome);
    EXPECT_NE(outcome.err.find("is of the physics \"flow\", and the case is of \"heat\""),
              std::string::npos)
        << outcome.err;
    outcome = program({"restart", c.folder / "nowhere"});
    EXPECT_CODE(2, outcome);
    EXPECT_NE(outcome.err.find("no such folder"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(c.folder / "nowhere"));
    outcome = program({"restart", c.folder / "other"});
    EXPECT_CODE(2, outcome);
    EXPECT_NE(outcome.err.find("holds no checkpoint"), std::string::npos) << outcome.err;
    EXPECT_EQ(left(), before);
    EXPECT_CODE(0, c.restart({}));  // and it still goes on
}

// ---- run --continue

TEST(Continue, IsOneCommandForAJob) {
    const Case c(wave);
    const auto job = [&](const Arguments& keys) {
        return c.run(c.broken(), joined({"--continue"}, set(keys)));
    };
    EXPECT_CODE(0, job({"time.steps=8"}));
    EXPECT_EQ(summary_in(c.broken())["steps"], 8);
    EXPECT_CODE(0, job({"time.steps=20"}));
    expect_same_bits(c.whole(), c.broken());

    // to its end, beyond it, and no further
    EXPECT_CODE(0, job({}));
    EXPECT_EQ(summary_in(c.broken())["status"], "done");
    const std::string summary = contents(c.broken() / "summary.json");
    const Outcome outcome = job({});
    EXPECT_CODE(0, outcome);
    EXPECT_NE(outcome.out.find("the run is done"), std::string::npos) << outcome.out;
    EXPECT_CODE(0, c.restart({}));
    EXPECT_EQ(contents(c.broken() / "summary.json"), summary);
    EXPECT_CODE(0, c.restart(set({"time.end=1.2"})));
    EXPECT_EQ(summary_in(c.broken())["time"], 1.2);
}

TEST(Continue, StartsWhereNothingIs) {
    const Case c(heat, {});
    EXPECT_CODE(0, c.run(c.whole(), set({"time.steps=8", "checkpoint.keep=0"})));
    EXPECT_TRUE(checkpoints_in(c.whole()).empty());
    const Outcome outcome = c.run(c.whole(), joined({"--continue"}, set({"time.steps=3"})));
    EXPECT_CODE(0, outcome);
    EXPECT_NE(outcome.out.find("holds no checkpoint: the run starts anew"), std::string::npos)
        << outcome.out;
    EXPECT_EQ(summary_in(c.whole())["steps"], 3);
    const fs::path other = c.folder.write("other.toml", flow);
    const std::string text = contents(other);
    std::ofstream(other) << "name = \"other\"\n" << text.substr(text.find('\n') + 1);
    fs::remove_all(c.whole() / "checkpoints");
    EXPECT_CODE(2, program({"run", other, "-o", c.whole(), "--continue"}));
    EXPECT_CODE(2, program({"run", other, "-o", c.whole(), "--continue", "--overwrite"}));
}

// Without a checkpoint a run that is done is that of other options no more than that of another
// text.
TEST(Continue, AsksForTheSameOptionsOfARunThatIsDone) {
    const Case c(heat, {});
    const Arguments first{"time.end=0.1", "time.step=0.02", "checkpoint.keep=0"};
    const auto job = [&](const Arguments& keys) {
        return c.run(c.whole(), joined({"--continue"}, set(keys)));
    };
    EXPECT_CODE(0, job(first));
    EXPECT_EQ(summary_in(c.whole())["status"], "done");
    const std::string summary = contents(c.whole() / "summary.json");
    Outcome outcome = job(first);
    EXPECT_CODE(0, outcome);
    EXPECT_NE(outcome.out.find("the run is done"), std::string::npos) << outcome.out;
    for (const Arguments& other :
         {joined(first, {"boundary.ymax.h=4"}), Arguments{"time.end=0.1", "time.step=0.02"}}) {
        outcome = job(other);
        EXPECT_CODE(2, outcome);
        EXPECT_NE(outcome.err.find("or other options --set"), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(contents(c.whole() / "summary.json"), summary);
}

// A run with --overwrite that is killed before its first step ends leaves what was there aside.
TEST(Continue, FindsWhatAKilledStartHadSetAside) {
    const Case c(heat);
    EXPECT_CODE(0, c.run(c.broken(), set({"time.steps=8"})));
    const fs::path aside = c.broken() / ".solenoid-replaced";
    std::vector<fs::path> results;
    for (const auto& entry : fs::directory_iterator(c.broken()))
        if (!entry.path().filename().string().starts_with(".")) results.push_back(entry.path());
    fs::create_directories(aside / "complete");
    for (const fs::path& one : results) fs::rename(one, aside / one.filename());
    EXPECT_CODE(0, c.run(c.broken(), joined({"--continue"}, set({"time.steps=20"}))));
    expect_same_bits(c.whole(), c.broken());
    EXPECT_EQ(summary_in(c.broken())["continued"]["steps"], 8);
}

// A run that came to its end with output missing is not done.
TEST(Continue, GoesOnWhereOutputIsMissing) {
    const Case c(wave, {"time.end=0.4"});
    EXPECT_CODE(0, c.run(c.broken(), set({"time.end=0.4"})));
    auto summary = summary_in(c.broken());
    EXPECT_EQ(summary["status"], "done");
    summary["not_written"] = {"small_000020.pvtu: No space left on device"};
    std::ofstream(c.broken() / "summary.json") << summary;
    fs::remove(c.broken() / "checkpoints" / checkpoints_in(c.broken()).back());
    EXPECT_CODE(0, c.run(c.broken(), joined({"--continue"}, set({"time.end=0.4"}))));
    expect_same_bits(c.whole(), c.broken());
    EXPECT_FALSE(summary_in(c.broken()).contains("not_written"));
}

// ---- when there is one

TEST(Checkpoints, AreWrittenWhenTheCaseSaysSo) {
    const Case c(heat, {});
    const auto left = [&](const Arguments& keys) {
        EXPECT_CODE(0, c.run(c.whole(), joined({"--overwrite"}, set(keys))));
        return checkpoints_in(c.whole());
    };
    EXPECT_EQ(left({"time.step=0.01", "time.steps=10", "checkpoint={every=3, keep=3}"}),
              (Arguments{name_of(6), name_of(9), name_of(10)}));
    EXPECT_EQ(left({"time.step=0.01", "time.steps=10", "checkpoint={interval=0.035, keep=9}"}),
              (Arguments{name_of(4), name_of(8), name_of(10)}));
    EXPECT_EQ(left({"time.step=0.01", "time.steps=4", "checkpoint={wall_interval=1e-9, keep=9}"}),
              (Arguments{name_of(1), name_of(2), name_of(3), name_of(4)}));
    EXPECT_EQ(left({"time.steps=4", "checkpoint={}"}), Arguments{name_of(4)});
    EXPECT_TRUE(left({"time.steps=4", "checkpoint={every=1, keep=0}"}).empty());
    EXPECT_EQ(left({"time.step=0.01", "time.steps=9", "checkpoint={keep=9}",
                    "trigger=[{monitor=\"boundaries\", column=\"time\", above=0.035, "
                    "action=\"checkpoint\"}]"}),
              (Arguments{name_of(4), name_of(9)}));
}

// Requests; what was steered holds on, unless --set says otherwise now.
TEST(Checkpoints, AreAskedForAndKeepWhatWasSteered) {
    const Case c(heat, {});
    Program run({"run", c.file, "-o", c.broken(), "--device", "cpu", "--set", "time={end=1e6}",
                 "--set", "boundary.xmin.value=1", "--set", "time.largest_step=1e-4", "--set",
                 "checkpoint={keep=99}"},
                {.ranks = 2});
    ASSERT_TRUE(waits_for([&] { return fs::exists(c.broken() / "summary.json"); }));
    const auto asks = [&](const std::string& text, const std::function<bool()>& is_done) {
        std::ofstream(c.broken() / "request") << text;
        fs::rename(c.broken() / "request", c.broken() / "control.toml");
        EXPECT_TRUE(waits_for(is_done)) << run.printed();
    };
    asks("checkpoint = true\n", [&] { return checkpoints_in(c.broken()).size() == 1; });
    run.signal(SIGUSR1);
    EXPECT_TRUE(waits_for([&] { return checkpoints_in(c.broken()).size() == 2; }));
    asks("stop = true\n[time]\nlargest_step = 0.25\n[output]\nevery = 1000000\n",
         [&] { return !run.is_running(); });
    EXPECT_EQ(run.wait().code, 3);
    const auto names = checkpoints_in(c.broken());
    EXPECT_EQ(names.size(), 3u);
    const int step = summary_in(c.broken())["steps"];
    EXPECT_EQ(names.back(), name_of(step));
    EXPECT_CODE(0, c.restart(set({"time.steps=" + std::to_string(step + 40), "output.vtk=false"})));
    const double later = summary_in(c.broken())["time"];
    EXPECT_GT(later, 40 * 1e-4 + 1);
    EXPECT_CODE(
        0, c.restart(set({"time.steps=" + std::to_string(step + 60), "time.largest_step=1e-3"})));
    EXPECT_LT(summary_in(c.broken())["time"].get<double>(), later + 0.021);
}

// It is lost where another one stands before the next trial is due: a message says which.
TEST(Checkpoints, AreNamedWhereTheyAreNotWritten) {
    const Case c(heat, {});
    const auto has = [](const std::string& text, const std::string& words) {
        EXPECT_NE(text.find(words), text.npos) << words << " in: " << text;
    };
    const std::string folder = (c.broken() / "checkpoints").string();
    const auto failing = [&](const char* mode, int code) {
        const Outcome outcome = run_program(
            joined({"run", c.file, "-o", c.broken(), "--device", "cpu", "--overwrite", "--quiet"},
                   set({"time.steps=3", "checkpoint.every=1", "output.vtk=false"})),
            {.environment = {{"LD_PRELOAD", SOLENOID_FAILING_CALLS},
                             {"FAILING_CALL", "mkdir 1 0 " + folder + mode}}});
        EXPECT_CODE(code, outcome);
        return outcome.err;
    };
    has(failing("", 0), "the checkpoint of step 1: " + folder + ": cannot be made");
    EXPECT_EQ(checkpoints_in(c.broken()), Arguments{name_of(3)});
    const std::string said = failing(" always", 1);
    has(said, "the checkpoint of step 1: " + folder + ": cannot be made");
    has(said, "the checkpoint of step 3 of " + folder);
    EXPECT_TRUE(checkpoints_in(c.broken()).empty());
}

// On a disk that is full for a while the run goes on, and a later trial stands; at its end it says
// what is missing.
TEST(Checkpoints, AreTriedUntilTheyStand) {
    const Case c(heat, {});
    const fs::path full = c.folder / "full";
    Program run(
        {"run", c.file, "-o", c.broken(), "--device", "cpu", "--set", "time.end=1e6", "--set",
         "time.step=1e-4", "--set", "checkpoint.every=1", "--set", "output.vtk=false", "--set",
         "picture=[]"},
        {.environment = {{"LD_PRELOAD", SOLENOID_FULL_DISK}, {"FULL_DISK", full.string()}}});
    const auto newest = [&] {
        const auto names = checkpoints_in(c.broken());
        const auto is_whole = [](const std::string& name) { return name.ends_with("checkpoint"); };
        const auto last = std::ranges::find_if(names.rbegin(), names.rend(), is_whole);
        return last == names.rend() ? "" : *last;
    };
    ASSERT_TRUE(waits_for([&] { return newest() >= name_of(3); })) << run.printed();
    c.folder.write("full", "");
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const std::string before = newest();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    EXPECT_TRUE(run.is_running());
    EXPECT_EQ(newest(), before);
    fs::remove(full);
    EXPECT_TRUE(waits_for([&] { return newest() > before; })) << run.printed();
    c.folder.write("full", "");
    std::this_thread::sleep_for(std::chrono::seconds(1));
    run.signal(SIGTERM);
    const Outcome outcome = run.wait();
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find("the checkpoint of step "), std::string::npos) << outcome.err;
    fs::remove(full);
    EXPECT_CODE(0, c.restart(set({"time.steps=1"})));
}

}  // namespace
}  // namespace solenoid::test::end_to_end_restart_test
