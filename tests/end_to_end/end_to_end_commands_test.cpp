// The command line as a user meets it: options, paths, starter cases, mesh commands.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results.hpp"

namespace solenoid::test::end_to_end_commands_test {
namespace {

const std::string plate = source("cases/plate/case.toml");

// The plate's case file without a mesh file of its own, for other places.
std::string plate_text(const std::string& mesh) {
    std::string text = contents(plate);
    const std::string theirs = "../../meshes/plate.msh";
    return text.replace(text.find(theirs), theirs.size(), mesh);
}

void expect_done(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST(Options, OverridesWin) {
    const Folder folder;
    expect_done(run_program({"run", plate, "-o", folder / "out", "--set",
                             "boundary.right.value=3*y", "--set", "boundary.right.value=2", "--set",
                             "name=other", "--set", "picture=[]", "--set", "monitor.0.points=3"}));
    const Field field = last_field(folder / "out/other.pvd");
    EXPECT_EQ(field.size(), 513u);
    for (const auto& [number, node] : field) EXPECT_NEAR(node.temperature, 2 * node.place[0], 1e-8);
    EXPECT_EQ(table_in(folder / "out/monitors/middle.csv").rows.size(), 3u);
    EXPECT_FALSE(fs::exists(folder / "out/pictures"));
}

TEST(Options, QuietPrintsNothing) {
    for (const int ranks : {1, 2}) {
        const Folder folder;
        const Outcome outcome =
            run_program({"run", plate, "--quiet", "-o", folder / "out"}, {.ranks = ranks});
        expect_done(outcome);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(outcome.err, "");
    }
}

// Meshes beyond what one thread takes alone: every file but the summary is the same, byte by byte,
// on any number of threads.
TEST(Options, ThreadsLeaveTheSameBits) {
    const std::string flow = R"toml(physics = "flow"
[mesh.box]
cells = 20000
dimension = 3
[fluid]
viscosity = 0.01
[boundary.zmax]
type = "wall"
velocity = [1, 0, 0]
[boundary.ymin]
type = "periodic"
partner = "ymax"
[boundary.xmin]
type = "wall"
[boundary.xmax]
type = "wall"
[boundary.zmin]
type = "wall"
[time]
end = 1
step = 0.01
steps = 2
)toml";
    for (const auto& [method, several] :
         {std::pair<std::string, std::string>("exact", "5"), {"classical", "2"}}) {
        const Folder folder;
        const fs::path file = folder.write("case.toml", flow);
        for (const std::string& threads : {std::string("1"), several}) {
            const Outcome outcome = run_program({"run", file, "-o", folder / threads, "--device",
                                                 "cpu", "--set", "flow.method=" + method, "--set",
                                                 "checkpoint.keep=0", "--threads", threads});
            expect_done(outcome);
            EXPECT_EQ(outcome.out.find(", " + threads + " threads each") != std::string::npos,
                      threads != "1")
                << outcome.out;
            EXPECT_EQ(summary_in(folder / threads)["threads"], std::stoi(threads));
        }
        int files = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder / "1")) {
            const fs::path place = fs::relative(entry.path(), folder / "1");
            if (!entry.is_regular_file() || place == "summary.json") continue;
            ++files;
            EXPECT_EQ(contents(entry.path()), contents(folder / several / place))
                << method << ": " << place;
        }
        EXPECT_GE(files, 5) << method;
    }
    EXPECT_EQ(run_program({"run", plate, "--threads", "0"}).code, 2);
}

TEST(Options, ATransportThatCannotBeHadIsAMistake) {
    const Folder folder;
    const Outcome outcome =
        run_program({"run", plate, "-o", folder / "out", "--device", "cpu", "--transport", "gpu"},
                    {.ranks = 2});
    EXPECT_EQ(outcome.code, 2);
    for (const char* words : {"--transport gpu", "(cpu: ", "leave the option out"})
        EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
}

// Processes that make and remove one folder for all could stop each other's start.
TEST(Options, OneProcessNeedsNoTemporaryFolder) {
    const Folder folder;
    expect_done(run_program({"run", plate, "-o", folder / "out"},
                            {.environment = {{"TMPDIR", "/dev/null/none"}}}));
}

TEST(Options, OneRankSpeaks) {
    const Folder folder;
    const Outcome outcome =
        run_program({"run", plate, "-o", folder / "out", "--device", "cpu"}, {.ranks = 3});
    expect_done(outcome);
    const auto lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 8u) << outcome.out;
    const std::vector<std::string> beginnings{"solenoid ",
                                              "device   cpu",
                                              "mesh     plate.msh: 944 triangles, 513 nodes",
                                              "ranks    3 on 1 host by shared memory (",
                                              "solved   ",
                                              "         temperature ",
                                              "heat in  left -1 W/m, right 1 W/m, ",
                                              "done     "};
    for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_EQ(lines[i].find(beginnings[i]), 0u) << lines[i];
    EXPECT_EQ(outcome.out.find('\033'), std::string::npos);
}

TEST(Options, ResultsGoToOutUnlessToldOtherwise) {
    const Folder folder;
    expect_done(run_program({"run", plate}, {.folder = folder.path}));
    EXPECT_EQ(summary_in(folder / "out/plate")["status"], "done");
}

TEST(Options, ARunReplacesTheResultsOfAnEarlierOneIfToldTo) {
    const Folder folder;
    const std::vector<std::string> transient{"run",   plate,
                                             "-o",    folder / "out",
                                             "--set", "material.plate.heat_capacity=1",
                                             "--set", "initial.temperature=0",
                                             "--set", "time={end=0.1, step=0.02}",
                                             "--set", "picture.0.width=100",
                                             "--set", "picture.0.height=100"};
    expect_done(run_program(joined(transient, {"--set", "output.every=1"})));
    EXPECT_EQ(states_in(folder / "out/plate.pvd").size(), 6u);
    EXPECT_TRUE(fs::exists(folder / "out/pictures/temperature_0004.png"));
    folder.write("out/pictures/mine.png", "x");
    const Outcome refused = run_program(transient);
    EXPECT_EQ(refused.code, 2);
    for (const char* words : {"holds results of an earlier run (plate.pvd, ", "6 states",
                              "add --overwrite", "--output"})
        EXPECT_NE(refused.err.find(words), std::string::npos) << refused.err;
    EXPECT_EQ(states_in(folder / "out/plate.pvd").size(), 6u);
    expect_done(run_program(joined(transient, {"--overwrite"})));
    EXPECT_EQ(states_in(folder / "out/plate.pvd").size(), 2u);
    EXPECT_FALSE(fs::exists(folder / "out/plate_000001.pvtu"));
    EXPECT_TRUE(fs::exists(folder / "out/pictures/temperature_0000.png"));
    EXPECT_FALSE(fs::exists(folder / "out/pictures/temperature_0004.png"));
    EXPECT_TRUE(fs::exists(folder / "out/pictures/mine.png"));
}

TEST(Paths, CountFromTheCaseFileAndMayHaveSpaces) {
    const Folder folder;
    fs::create_directories(folder / "my meshes");
    fs::create_directories(folder / "elsewhere");
    fs::copy(source("meshes/plate.msh"), folder / "my meshes/a plate.msh");
    folder.write("my cases/first try.toml", plate_text("../my meshes/a plate.msh"));
    const Outcome outcome =
        run_program({"run", "../my cases/first try.toml", "-o", "the results/1"},
                    {.ranks = 2, .folder = folder / "elsewhere"});
    expect_done(outcome);
    EXPECT_EQ(last_field(folder / "elsewhere/the results/1/first try.pvd").size(), 513u);
}

TEST(Init, WritesACaseThatRuns) {
    for (const auto& entry : fs::directory_iterator(source("meshes"))) {
        if (entry.path().extension() != ".msh") continue;
        const Folder folder;
        const Program::Start here{.folder = folder.path};
        expect_done(run_program({"init", entry.path(), "-o", "new.toml"}, here));
        expect_done(run_program({"run", "new.toml"}, here));
        EXPECT_EQ(summary_in(folder / "out/new")["status"], "done");
        const std::string before = contents(folder / "new.toml");
        const Outcome again = run_program({"init", entry.path(), "-o", "new.toml"}, here);
        EXPECT_EQ(again.code, 2);
        EXPECT_NE(again.err.find("new.toml: exists already"), std::string::npos) << again.err;
        EXPECT_EQ(contents(folder / "new.toml"), before);
    }
}

// One side slides along itself at 1 m/s, and the fluid follows it.
TEST(Init, WritesAFlowThatRuns) {
    for (const std::string dimension : {"2", "3"}) {
        const Folder folder;
        const Program::Start here{.folder = folder.path};
        expect_done(run_program(
            {"mesh", "box", "--cells", "300", "--dimension", dimension, "-o", "box.msh"}, here));
        expect_done(run_program({"init", "box.msh", "--physics", "flow", "-o", "new.toml"}, here));
        const Outcome outcome = run_program({"run", "new.toml"}, here);
        expect_done(outcome);
        EXPECT_EQ(summary_in(folder / "out/new")["status"], "done");
        EXPECT_NE(outcome.out.find("\nranges   speed           0 to 1\n"), std::string::npos)
            << outcome.out;
        EXPECT_EQ(summary_in(folder / "out/new")["ranges"]["speed"],
                  nlohmann::json::array({0.0, 1.0}));
    }
}

// Names that say so make an inflow, straight into the domain, and an outflow.
TEST(Init, LetsTheFlowThroughFromInletToOutlet) {
    const Folder folder;
    const Program::Start here{.folder = folder.path};
    expect_done(run_program(
        {"init", source("meshes/cylinder.msh"), "--physics", "flow", "-o", "new.toml"}, here));
    const std::string text = contents(folder / "new.toml");
    EXPECT_NE(text.find("[boundary.inlet]\ntype = \"inflow\"\nvelocity = [1.0, 0.0]\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("[boundary.outlet]\ntype = \"outflow\"\n"), std::string::npos) << text;
    expect_done(run_program({"run", "new.toml", "--set", "time.steps=3"}, here));
}

// Two tets; their common face is a group that needs no condition, and can have one.
constexpr const char* two_tets =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n3\n2 1 \"outside\"\n2 2 \"between\"\n3 3 \"metal\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
    "$Elements\n9\n"
    "1 2 2 1 1 1 2 3\n2 2 2 1 1 1 2 4\n3 2 2 1 1 1 3 4\n4 2 2 1 1 2 3 5\n5 2 2 1 1 2 4 5\n6 2 2 1 "
    "1 3 4 5\n"
    "7 2 2 2 2 2 3 4\n8 4 2 3 3 1 2 3 4\n9 4 2 3 3 2 3 4 5\n$EndElements\n";

TEST(Init, OffersTablesForInnerGroups) {
    const Folder folder;
    folder.write("two.msh", two_tets);
    const Program::Start here{.folder = folder.path};
    expect_done(run_program({"init", "two.msh"}, here));
    const std::string text = contents(folder / "case.toml");
    EXPECT_NE(text.find("[boundary.outside]"), std::string::npos);
    EXPECT_EQ(text.find("\n[boundary.between]"), std::string::npos);
    EXPECT_NE(text.find("\n# [boundary.between]"), std::string::npos);
    expect_done(run_program({"run", "case.toml"}, here));
}

TEST(MeshCommands, AMadeBoxIsDescribed) {
    const Folder folder;
    const Program::Start here{.folder = folder.path};
    expect_done(run_program(
        {"mesh", "box", "--cells", "2e3", "--high", "2", "1", "1", "-o", "box.msh"}, here));
    const Outcome told = run_program({"mesh", "info", "box.msh"}, here);
    expect_done(told);
    for (const char* word : {"cells  ", "Euler characteristic  1", "components            1",
                             "xmin", "zmax", "largest aspect of cells", "any cell"})
        EXPECT_NE(told.out.find(word), std::string::npos) << word << " in\n" << told.out;
    const Outcome as_json = run_program({"mesh", "info", "box.msh", "--json"}, here);
    const auto info = nlohmann::json::parse(as_json.out);
    EXPECT_NEAR(info["volume"].get<double>(), 2, 1e-12);
    EXPECT_EQ(info["outer_faces_in_no_group"], 0);
    double most = 0;
    for (const auto& boundary : info["boundaries"]) {
        most = std::max(most, boundary["thin"]["aspect"].get<double>());
        EXPECT_EQ(boundary["thin"]["curved_aspect"], 0);  // a box has no curved walls
    }
    EXPECT_GT(most, 1);
    EXPECT_GT(info["thinnest"]["aspect"].get<double>(), 1);
}

TEST(Diff, ComparesRunsOfOneAndTwoRanks) {
    const Folder folder;
    const auto run = [&](const std::string& out, int ranks, const std::string& value) {
        expect_done(run_program({"run", plate, "--quiet", "-o", folder / out, "--set", "picture=[]",
                                 "--set", "boundary.right.value=" + value},
                                {.ranks = ranks}));
    };
    run("one", 1, "1");
    run("two", 2, "1");
    run("warm", 1, "1.5");
    const auto diff = [&](const std::string& other, const std::string& file) {
        return run_program(
            {"diff", folder / "one" / file, folder / other / file, "--tolerance", "1e-6"});
    };
    for (const std::string file : {"plate_000000.pvtu", "monitors/middle.csv"}) {
        const Outcome alike = diff("two", file), other = diff("warm", file);
        EXPECT_EQ(alike.code, 0) << alike.out << alike.err;
        EXPECT_EQ(other.code, 1) << other.out << other.err;
        EXPECT_NE(other.out.find(": temperature: "), std::string::npos) << other.out;
        EXPECT_NE(other.out.find("largest difference 0.5 at "), std::string::npos) << other.out;
    }
}

// For a terminal, not for a page of the docs.
TEST(Keys, AreShownWithoutMarks) {
    const Outcome outcome = run_program({"keys"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("by their names in the files (docs/output.md)"), std::string::npos);
    for (const char* mark : {"](", "`", "\\|"})
        EXPECT_EQ(outcome.out.find(mark), std::string::npos) << mark;
}

TEST(Help, EveryCommandExplainsItself) {
    const std::vector<std::vector<std::string>> commands{
        {}, {"run"}, {"init"}, {"mesh"}, {"mesh", "info"}, {"mesh", "box"}, {"diff"}, {"devices"}};
    for (const auto& command : commands) {
        const Outcome outcome = run_program(joined(command, {"--help"}));
        EXPECT_EQ(outcome.code, 0);
        EXPECT_EQ(outcome.err, "");
        EXPECT_NE(outcome.out.find("Usage: solenoid"), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find("--help"), std::string::npos);
        EXPECT_EQ(outcome.out.find("    of "), std::string::npos) << outcome.out;
    }
    EXPECT_EQ(run_program({"--version"}).out.find("solenoid "), 0u);
    EXPECT_EQ(lines_of(run_program({"--version"}, {.ranks = 2}).out).size(), 1u);
    const Outcome devices = run_program({"devices"});
    expect_done(devices);
    EXPECT_EQ(devices.out.find("cpu\n"), 0u);
}

TEST(Help, MistakesOfUsageTakeOneLine) {
    using Case = std::pair<std::vector<std::string>, std::string>;
    const std::vector<Case> cases{
        {{}, "A subcommand is required (see solenoid --help)"},
        {{"rum"}, "did you mean run?"},
        {{"bench", "poisson"}, "solenoid-bench"},
        {{"run"}, "CASE.toml is required (see solenoid run --help)"},
        {{"run", plate, "more"}, "more (see solenoid run --help)"},
        {{"run", plate, "--device", "gpu"}, "{auto,cpu,compute,fragment,cuda}"},
        {{"run", plate, "--precision", "half"}, "{single,double,mixed}"},
        {{"run", plate, "--transport", "pigeon"}, "{auto,gpu,host,mpi}"},
        {{"mesh", "inf"}, "did you mean info?"},
        {{"diff", plate}, "B is required (see solenoid diff --help)"},
        {{"diff", plate, "/nowhere/x"}, "/nowhere/x: there is no such file or folder"},
        {{"mesh", "box", "--cells", "0", "-o", "x"}, "from 1 to 5e8, found 0"},
        {{"mesh", "box", "--cells", "10", "-o", "/nowhere/x"}, "there is no directory /nowhere"}};
    // one of several ranks speaks: of mistakes before MPI is open, and of one behind
    const auto is_told_by_one = [](const std::string& words) {
        return words.starts_with("A subcommand") || words.starts_with("CASE.toml is required") ||
               words.starts_with("/nowhere/x");
    };
    for (const auto& [arguments, words] : cases)
        for (const int ranks : is_told_by_one(words) ? std::vector{1, 3} : std::vector{1}) {
            const Outcome outcome = run_program(arguments, {.ranks = ranks});
            EXPECT_EQ(outcome.code, 2);
            EXPECT_EQ(outcome.out, "");
            EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
            EXPECT_EQ(outcome.err.find("solenoid: "), 0u) << outcome.err;
            EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
        }
}

}  // namespace
}  // namespace solenoid::test::end_to_end_commands_test
