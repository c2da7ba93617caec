// Whole runs of the cases, and what they leave: the same on every device and any number of ranks.
#include <gtest/gtest.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

#include "results.hpp"

namespace solenoid::test::end_to_end_run_test {
namespace {

using Arguments = std::vector<std::string>;

std::vector<unsigned char> pixels_of(const fs::path& png) {
    int width = 0, height = 0, channels = 0;
    unsigned char* data = stbi_load(png.c_str(), &width, &height, &channels, 3);
    if (!data) return {};
    const std::vector<unsigned char> pixels(data, data + 3 * std::size_t(width) * height);
    stbi_image_free(data);
    return pixels;
}

// The part of the pixels that differ by more than 2 of 255.
double different_pixels(const std::vector<unsigned char>& a, const std::vector<unsigned char>& b) {
    if (a.size() != b.size() || a.empty()) return 1;
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); i += 3) {
        bool is_close = true;
        for (std::size_t k = i; k < i + 3; ++k)
            is_close = is_close && std::abs(int(a[k]) - int(b[k])) <= 2;
        different += !is_close;
    }
    return 3.0 * double(different) / double(a.size());
}

void expect_done(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out.find("nan"), std::string::npos) << outcome.out;
}

void expect_balance(const fs::path& folder, double tolerance) {
    const Table table = table_in(folder / "monitors/boundaries.csv");
    for (const auto& row : table.rows) {
        double largest = 0;
        for (std::size_t c = 1; c + 1 < row.size(); ++c)
            largest = std::max(largest, std::abs(*row[c]));
        EXPECT_LE(std::abs(*row.back()), tolerance * largest) << folder << " at " << *row.front();
    }
}

// ---- the crankshaft between 0 and 1

constexpr const char* crankshaft = "cases/crankshaft/case.toml";

struct Combination {
    std::string device, precision;
    int ranks;
    bool is_double() const { return precision == "double"; }
};

std::string name_of(const testing::TestParamInfo<Combination>& info) {
    return info.param.device + "_" + info.param.precision + "_" + std::to_string(info.param.ranks);
}

// Of the processor all, of the others one and several ranks in one precision each: heat_test has
// the others on every device.
std::vector<Combination> combinations() {
    std::vector<Combination> all;
    for (const int ranks : {1, 3})
        for (const char* precision : {"double", "single"}) all.push_back({"cpu", precision, ranks});
    for (const char* device : {"compute", "fragment"}) {
        all.push_back({device, "single", 1});
        all.push_back({device, "double", 2});
    }
    return all;
}

struct CrankshaftResult {
    Folder folder;
    Outcome outcome;
    Field field;
    std::vector<unsigned char> picture;

    explicit CrankshaftResult(const Combination& c)
        : outcome(run_program({"run", source(crankshaft), "--set",
                               "mesh.file=" + source("meshes/crankshaft.msh").string(), "-o",
                               folder / "out", "--device", c.device, "--precision", c.precision},
                              {.ranks = c.ranks,
                               .with_mpirun = true,
                               .environment = {{"SOLENOID_GL_SOFTWARE", "1"}}})),
          field(last_field(folder / "out/crankshaft.pvd")),
          picture(pixels_of(folder / "out/pictures/temperature.png")) {}
    fs::path out() const { return folder / "out"; }
};

const CrankshaftResult& reference() {
    static const CrankshaftResult result({"cpu", "double", 1});
    return result;
}

class Crankshaft : public testing::TestWithParam<Combination> {};
INSTANTIATE_TEST_SUITE_P(All, Crankshaft, testing::ValuesIn(combinations()), name_of);

void expect_rising_axis(const fs::path& csv, double tolerance) {
    const auto along = table_in(csv).column("temperature");
    ASSERT_EQ(along.size(), 101u);
    EXPECT_NEAR(along.front().value_or(-1), 0, tolerance);
    EXPECT_NEAR(along.back().value_or(-1), 1, tolerance);
    double before = -tolerance;
    for (const auto& value : along) {
        if (!value) continue;
        EXPECT_GE(*value, before - tolerance);
        before = std::max(before, *value);
    }
    EXPECT_EQ(std::count(along.begin(), along.end(), std::nullopt), 24);  // between the webs
}

void expect_crankshaft_summary(const nlohmann::json& s, const Combination& c) {
    for (const char* key :
         {"case",      "version", "status", "ranks",      "threads",  "devices",     "precision",
          "transport", "cells",   "faces",  "edges",      "nodes",    "partition",   "steps",
          "time",      "seconds", "solves", "halo_bytes", "messages", "memory_bytes"})
        EXPECT_TRUE(s.contains(key)) << key;
    EXPECT_EQ(s["case"], "crankshaft");
    EXPECT_EQ(s["status"], "done");
    EXPECT_EQ(s["ranks"], c.ranks);
    ASSERT_EQ(s["devices"].size(), std::size_t(c.ranks));
    EXPECT_EQ(s["devices"][0].get<std::string>().find(c.device + ":"), 0u);
    EXPECT_EQ(s["precision"], c.precision);
    EXPECT_EQ(s["reproducible"], false);
    EXPECT_EQ(s["transport"], c.ranks > 1 ? "shared memory" : "none");
    EXPECT_EQ(s.contains("transport_speed"), c.ranks > 1);
    if (c.ranks > 1) {
        EXPECT_GT(s["transport_speed"]["latency"], 0);
        EXPECT_GT(s["transport_speed"]["bandwidth"], 1e6);
    }
    EXPECT_EQ(s["messages"]["exchanges"] > 10, c.ranks > 1);
    EXPECT_EQ(s["cells"], 9478);
    EXPECT_EQ(s["faces"], 21554);
    EXPECT_EQ(s["edges"], 15077);
    EXPECT_EQ(s["nodes"], 3002);
    EXPECT_EQ(s["partition"]["edge_cut"] > 0, c.ranks > 1);
    EXPECT_GE(s["partition"]["imbalance"], 1.0);
    for (const char* phase : {"read", "partition", "setup", "solve", "output", "total"})
        EXPECT_GE(s["seconds"][phase].get<double>(), 0) << phase;
    EXPECT_EQ(s["steps"], 0);
    EXPECT_EQ(s["solves"][0]["name"], "temperature");
    EXPECT_EQ(s["solves"][0]["count"], 1);
    EXPECT_GT(s["solves"][0]["iterations"], 2);
    EXPECT_LE(s["solves"][0]["iterations"], 20);  // with multigrid
    EXPECT_LE(s["solves"][0]["residual"].get<double>(), c.is_double() ? 1e-10 : 1e-5);
    EXPECT_EQ(s["halo_bytes"] > 0, c.ranks > 1);
    EXPECT_GT(s["memory_bytes"], 1 << 20);
}

TEST_P(Crankshaft, HasTheSameAnswer) {
    const Combination& c = GetParam();
    const CrankshaftResult result(c);
    expect_done(result.outcome);
    EXPECT_EQ(result.field.size(), 3002u);
    EXPECT_LE(largest_difference(reference().field, result.field), c.is_double() ? 1e-6 : 1e-3);
    expect_rising_axis(result.out() / "monitors/axis.csv", 1e-3);
    expect_crankshaft_summary(summary_in(result.out()), c);
    expect_balance(result.out(), c.is_double() ? 1e-8 : 1e-2);
    EXPECT_LE(different_pixels(reference().picture, result.picture), 1e-3);
}

// ---- the other cases

Outcome run_case(const fs::path& file, const fs::path& out, int ranks, const Arguments& more = {}) {
    return run_program(joined({"run", file, "-o", out, "--device", "cpu"}, more),
                       {.ranks = ranks, .with_mpirun = true});
}

TEST(Plate, IsLinearOnAnyNumberOfRanks) {
    for (const int ranks : {1, 4}) {
        const Folder folder;
        expect_done(run_case(source("cases/plate/case.toml"), folder / "out", ranks));
        const Field field = last_field(folder / "out/plate.pvd");
        EXPECT_EQ(field.size(), 513u);
        for (const auto& [number, node] : field) EXPECT_NEAR(node.temperature, node.place[0], 1e-8);
        const Table flows = table_in(folder / "out/monitors/boundaries.csv");
        EXPECT_NEAR(*flows.column("left").front(), -1, 1e-8);
        EXPECT_NEAR(*flows.column("right").front(), 1, 1e-8);
        EXPECT_NEAR(*table_in(folder / "out/monitors/centre.csv").column("temperature").front(),
                    0.5, 1e-8);
        EXPECT_FALSE(pixels_of(folder / "out/pictures/temperature.png").empty());
    }
}

TEST(Box, ComesCloseToTheManufacturedTemperature) {
    const Folder folder;
    expect_done(
        run_case(source("cases/box/case.toml"), folder / "out", 2, {"--set", "output.vtk=false"}));
    EXPECT_FALSE(fs::exists(folder / "out/box.pvd"));
    const Table diagonal = table_in(folder / "out/monitors/diagonal.csv");
    const auto x = diagonal.column("x"), temperature = diagonal.column("temperature");
    for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_TRUE(temperature[i]);
        EXPECT_NEAR(*temperature[i], *x[i] + std::pow(std::sin(M_PI * *x[i]), 3), 0.03);
    }
}

// The first seconds of the quench, in which thin parts cool fast.
Arguments short_quench() {
    return {"--set", "time.end=2.5",        "--set", "output.interval=1",
            "--set", "picture.0.width=400", "--set", "picture.0.height=300"};
}

TEST(Quench, CoolsAlikeOnOneAndThreeRanks) {
    std::vector<Field> last;
    std::vector<nlohmann::json> summaries;
    for (const int ranks : {1, 3}) {
        const Folder folder;
        expect_done(run_case(source("cases/crankshaft/quench.toml"), folder / "out", ranks,
                             short_quench()));
        const auto states = states_in(folder / "out/quench.pvd");
        ASSERT_EQ(states.size(), 4u);
        const std::vector<double> times{0, 1, 2, 2.5};
        for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(states[i].time, times[i], 1e-12);
        last.push_back(field_in(states.back().file));
        summaries.push_back(summary_in(folder / "out"));
        expect_balance(folder / "out", 1e-8);
        const auto journal = table_in(folder / "out/monitors/journal.csv").column("temperature");
        EXPECT_TRUE(std::is_sorted(journal.rbegin(), journal.rend()));
        EXPECT_EQ(journal.front(), 1100);
        EXPECT_LT(*journal.back(), 1100);
        EXPECT_TRUE(fs::exists(folder / "out/pictures/temperature_0000.png"));
        EXPECT_TRUE(fs::exists(folder / "out/pictures/temperature.png"));
    }
    EXPECT_LE(largest_difference(last[0], last[1]), 1e-4);
    EXPECT_EQ(summaries[0]["steps"], summaries[1]["steps"]);
    EXPECT_GT(summaries[0]["steps"], 3);
    for (const auto& summary : summaries) EXPECT_DOUBLE_EQ(summary["time"].get<double>(), 2.5);
}

TEST(Quench, StopsAfterSoManySteps) {
    const Folder folder;
    expect_done(
        run_case(source("cases/crankshaft/quench.toml"), folder / "out", 1,
                 joined(short_quench(), {"--set", "time.steps=3", "--set", "time.step=0.125"})));
    const auto summary = summary_in(folder / "out");
    EXPECT_EQ(summary["status"], "stopped");
    EXPECT_EQ(summary["steps"], 3);
    EXPECT_DOUBLE_EQ(summary["time"].get<double>(), 0.375);
}

// ---- runs that end

const std::string nothing_moves = R"(name = "small"
[mesh.box]
cells = 8
dimension = 2
[material.default]
conductivity = 1
heat_capacity = 1
[boundary]
xmin = {type = "temperature", value = 0}
xmax = {type = "insulated"}
ymin = {type = "insulated"}
ymax = {type = "insulated"}
[initial]
temperature = 0
[time]
end = 1
[output]
vtk = false
)";

Outcome within_seconds(const Folder& folder, const std::string& text, const Arguments& changes,
                       int ranks) {
    const fs::path file = folder.write("small.toml", text);
    return Program(joined({"run", file.string(), "--device", "cpu", "--overwrite", "-o",
                           (folder / "out").string()},
                          changes),
                   {.ranks = ranks})
        .wait(40);
}

// Steps chosen by an error that is nothing, over temperatures that are nothing.
TEST(Ends, HeatWhereAllIsZero) {
    const Folder folder;
    for (const Arguments& changes :
         {Arguments{}, Arguments{"--set", "boundary.xmin={type=\"insulated\"}"},
          Arguments{"--set", "boundary.xmin={type=\"convection\", h=1, T_inf=0}"}}) {
        const Outcome outcome = within_seconds(folder, nothing_moves, changes, 1);
        expect_done(outcome);
        EXPECT_NE(outcome.out.find("temperature 0 to 0 K"), std::string::npos) << outcome.out;
    }
}

// Their squares are no numbers that a processor has.
TEST(Ends, HeatOfTinyTemperatures) {
    const Folder folder;
    for (const char* value : {"1e-160", "1e-200", "1e-310"}) {
        const std::string start = "initial.temperature=" + std::string(value);
        expect_done(within_seconds(folder, nothing_moves, {"--set", start}, 1));
        EXPECT_LE(summary_in(folder / "out")["ranges"]["temperature"][1].get<double>(), 1e-160);
    }
}

TEST(Ends, HeatWithRanksThatHaveNoNode) {
    const Folder folder;
    expect_done(within_seconds(folder, nothing_moves,
                               {"--set", "boundary.xmin.value=1", "--set", "time.steps=5"}, 4));
}

// ---- stopped by a signal

void expect_stop(int number, int ranks, bool with_mpirun) {
    const Folder folder;
    Program program({"run", source("cases/crankshaft/quench.toml"), "-o", folder / "out",
                     "--device", "cpu", "--set", "time.step=0.001", "--set", "picture=[]"},
                    {.ranks = ranks, .with_mpirun = with_mpirun});
    const fs::path balance = folder / "out/monitors/boundaries.csv";
    for (int i = 0; i < 3000 && program.is_running() && lines_of(contents(balance)).size() < 5; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_TRUE(program.is_running());
    program.signal(number);
    const auto sent = std::chrono::steady_clock::now();
    const Outcome outcome = program.wait();
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count(), 10);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_NE(outcome.out.find("\nstopped "), std::string::npos) << outcome.out;
    const auto summary = summary_in(folder / "out");
    EXPECT_EQ(summary["status"], "stopped");
    const auto states = states_in(folder / "out/quench.pvd");
    ASSERT_EQ(states.size(), 2u);
    EXPECT_DOUBLE_EQ(states.back().time, summary["time"].get<double>());
    EXPECT_EQ(field_in(states.back().file).size(), 3002u);
}

TEST(Signals, StopTheProgramAfterItsStep) {
    expect_stop(SIGINT, 1, false);
    expect_stop(SIGTERM, 1, false);
}

// A solve of many seconds, which no step divides.
TEST(Signals, EndALongSolve) {
    for (const int ranks : {1, 2}) {
        const Folder folder;
        folder.write(
            "case.toml",
            "physics = \"heat\"\nmesh.box.cells = 200000\nmesh.box.dimension = "
            "3\nmaterial.default.conductivity = \"1 + 1e6*(x > y)\"\n"
            "boundary.xmin = {type = \"temperature\", value = 0}\n"
            "boundary.default = {type = \"convection\", h = 1e-6, T_inf = 1}\nsolver.temperature = "
            "{preconditioner = \"none\", tolerance = 1e-14, max_iterations = 1000000}\n");
        Program program({"run", folder / "case.toml", "-o", folder / "out", "--device", "cpu"},
                        {.ranks = ranks, .with_mpirun = ranks > 1});
        const auto is_cut = [&] { return program.printed().find("\nranks ") != std::string::npos; };
        for (int i = 0; i < 6000 && program.is_running() && !is_cut(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        // from the cut mesh to the solve
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        ASSERT_TRUE(program.is_running()) << program.wait().err;
        program.signal(SIGTERM);
        const Outcome outcome = program.wait(60);
        EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
        EXPECT_NE(outcome.err.find("stopped by a signal"), std::string::npos) << outcome.err;
        EXPECT_EQ(summary_in(folder / "out")["status"], "stopped");
    }
}

TEST(Signals, ReachTheRanksThroughMpirun) {
    expect_stop(SIGINT, 3, true);
    expect_stop(SIGTERM, 2, true);
}

}  // namespace
}  // namespace solenoid::test::end_to_end_run_test
