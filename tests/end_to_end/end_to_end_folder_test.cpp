// The output folder: nothing is lost, no two runs write into one, and what cannot be written does
// not end a run.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>

#include "results.hpp"

namespace solenoid::test::end_to_end_folder_test {
namespace {

using Arguments = std::vector<std::string>;

const std::string cavity = R"toml(name = "cavity"
physics = "flow"
[mesh.box]
cells = 60
dimension = 2
[fluid]
viscosity = 0.01
[boundary.ymax]
type = "wall"
velocity = [1, 0]
[boundary.default]
type = "wall"
[time]
end = 1e4
courant = 0.5
[output]
every = 1
[[monitor]]
type = "line"
name = "vertical"
from = [0.5, 0]
to = [0.5, 1]
points = 5
)toml";

// All files below a folder with what they hold; without the lock of a run.
std::map<std::string, std::string> all_in(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[fs::relative(entry.path(), folder).string()] = contents(entry.path());
    return files;
}

// The number of cells of a state, read by VTK.
vtkIdType grid_of(const fs::path& pvtu) {
    vtkNew<vtkXMLPUnstructuredGridReader> reader;
    reader->SetFileName(pvtu.c_str());
    reader->Update();
    return reader->GetErrorCode() == 0 ? reader->GetOutput()->GetNumberOfCells() : 0;
}

class OutputFolder : public testing::Test {
  protected:
    OutputFolder() { folder.write("cavity.toml", cavity); }

    Arguments words(const Arguments& more = {}) const {
        return joined({"run", "cavity.toml", "-o", "out", "--device", "cpu", "--quiet"}, more);
    }
    Outcome run(const Arguments& more = {}, int ranks = 1,
                const std::vector<std::pair<std::string, std::string>>& environment = {}) const {
        return run_program(words(more),
                           {.ranks = ranks, .folder = folder.path, .environment = environment});
    }
    // Three steps and their states.
    void leave_results() const {
        const Outcome outcome = run({"--set", "time.steps=3", "--overwrite"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
    template <class Condition>
    static bool becomes(Condition condition, double seconds = 30) {
        for (int i = 0; i < 200 * seconds; ++i) {
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }
    std::size_t rows() const { return lines_of(contents(folder / "out/monitors/flow.csv")).size(); }

    Folder folder;
};

TEST_F(OutputFolder, FailedStartsKeepEarlierResults) {
    leave_results();
    const auto before = all_in(folder / "out");
    ASSERT_GT(before.size(), 10u);
    const struct {
        Arguments more;
        int code;
        std::string words;
    } starts[] = {{{}, 2, "holds results"},
                  {{"--overwrite", "--set", "flow.momentum=rotational", "--set",
                    "monitor.0={type=\"force\", name=\"f\", boundaries=[\"ymax\"]}"},
                   2,
                   "gives no forces"},
                  {{"--overwrite", "--set", "boundary.default.type=wal"}, 2, "wall"},
                  {{"--overwrite", "--set",
                    "solver.stream_function={preconditioner=\"none\", max_iterations=1}"},
                   1,
                   "not converged"},
                  {{"--overwrite", "--set", "solver.momentum={max_iterations=1, tolerance=1e-14}"},
                   1,
                   "not converged"},
                  {{"--overwrite", "--set", "time={end=20, step=10}"}, 1, "is too long"}};
    int ranks = 1;
    for (const auto& start : starts) {
        ranks = 3 - ranks;
        const Outcome outcome = run(start.more, ranks);
        EXPECT_EQ(outcome.code, start.code) << outcome.err;
        EXPECT_NE(outcome.err.find(start.words), std::string::npos) << outcome.err;
        const auto is_trial = [](const std::string& line) {
            return line.find("is taken back and repeated") != line.npos;
        };
        const auto lines = lines_of(outcome.err);
        EXPECT_EQ(std::ranges::count_if(lines, std::not_fn(is_trial)), 1) << outcome.err;
        EXPECT_TRUE(all_in(folder / "out") == before) << outcome.err;
    }
}

TEST_F(OutputFolder, AFileNamedMonitorsIsRefused) {
    folder.write("out/monitors", "x");
    const Outcome outcome = run({"--overwrite"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("monitors: is no folder"), std::string::npos) << outcome.err;
}

TEST_F(OutputFolder, AKillJustAfterTheStartKeepsEarlierResults) {
    leave_results();
    const auto before = all_in(folder / "out");
    Program program(words({"--overwrite", "--set", "mesh.box.cells=40000"}),
                    {.folder = folder.path});
    ASSERT_TRUE(becomes([&] { return fs::exists(folder / "out/.solenoid-lock"); }));
    program.signal(SIGKILL);
    program.wait();
    const Outcome next = run({"--set", "time.steps=1"});
    EXPECT_EQ(next.code, 2);
    EXPECT_NE(next.err.find("holds results"), std::string::npos) << next.err;
    EXPECT_TRUE(all_in(folder / "out") == before);
}

TEST_F(OutputFolder, TwoRunsAreNotInOneFolder) {
    Program first(words(), {.folder = folder.path});
    ASSERT_TRUE(becomes([&] { return rows() > 3; }));
    EXPECT_EQ(summary_in(folder / "out")["status"], "running");
    for (const int ranks : {1, 2}) {
        const Outcome second = run({"--overwrite"}, ranks);
        EXPECT_EQ(second.code, 2);
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        for (const std::string& words :
             {std::string("another run of the case cavity writes here: process "),
              std::string(" on ") + host, std::string("--output")})
            EXPECT_NE(second.err.find(words), std::string::npos) << second.err;
    }
    first.signal(SIGTERM);
    EXPECT_EQ(first.wait().code, 3);
    EXPECT_EQ(summary_in(folder / "out")["status"], "stopped");
    EXPECT_FALSE(fs::exists(folder / "out/.solenoid-lock"));
    double before = -1;  // time does not go back
    for (const auto& time : table_in(folder / "out/monitors/flow.csv").column("time")) {
        EXPECT_GT(*time, before);
        before = *time;
    }
}

TEST_F(OutputFolder, TheLockOfADeadRunIsTakenOver) {
    Program program(words(), {.folder = folder.path});
    ASSERT_TRUE(becomes([&] { return rows() > 3; }));
    program.signal(SIGKILL);
    program.wait();
    EXPECT_EQ(summary_in(folder / "out")["status"], "running");
    const Outcome next = run({"--overwrite", "--set", "time.steps=2"}, 2);
    EXPECT_EQ(next.code, 0) << next.err;
    EXPECT_NE(next.err.find("runs no more: taken over"), std::string::npos) << next.err;
    EXPECT_EQ(states_in(folder / "out/cavity.pvd").size(), 3u);
}

TEST_F(OutputFolder, PlantedLinksAndPipesHoldNothingUp) {
    const fs::path victim = folder.write("victim", "precious");
    fs::create_directories(folder / "out/monitors");
    fs::create_directories(folder / "out/pictures");
    fs::create_directories(folder / "out/cavity_000000");
    for (const char* name : {"cavity.pvd.part", "cavity_000000.pvtu.part", "summary.json.part",
                             "monitors/vertical.csv.part", "pictures/speed.png.part"})
        fs::create_symlink(victim, folder / ("out/" + std::string(name)));
    ASSERT_EQ(mkfifo((folder / "out/cavity_000000/cavity_000000_0.vtu.part").c_str(), 0600), 0);
    ASSERT_EQ(mkfifo((folder / "out/pictures/speed_0000.png.part").c_str(), 0600), 0);
    const Outcome outcome = run({"--set", "time.steps=2", "--set",
                                 "picture=[{name=\"speed\",field=\"speed\",width=100,height=100}]"},
                                1, {{"SOLENOID_GL_SOFTWARE", "1"}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(contents(victim), "precious");
    EXPECT_EQ(states_in(folder / "out/cavity.pvd").size(), 3u);
    for (const auto& [name, text] : all_in(folder / "out"))
        EXPECT_EQ(name.find(".part"), name.npos);
}

// ---- killed

// The processes of the program that have this word on their command line.
std::vector<pid_t> ranks_with(const std::string& word) {
    std::vector<pid_t> ranks;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != name.npos) continue;
        std::error_code gone;
        if (fs::read_symlink(entry.path() / "exe", gone) != fs::path(SOLENOID_PROGRAM) || gone)
            continue;
        if (contents(entry.path() / "cmdline").find(word) != std::string::npos)
            ranks.push_back(std::stoi(name));
    }
    return ranks;
}

// A rank, mpirun or tools/mpirun that is killed ends all ranks within seconds, with one message;
// what was listed is whole, and the next run finds the folder free.
TEST_F(OutputFolder, AKillEndsAllRanks) {
    for (const std::string who : {"a rank", "mpirun", "tools/mpirun"}) {
        const std::string out = (folder / "out").string();
        fs::remove_all(out);  // rows are those of this run
        Program program(
            {"run", "cavity.toml", "-o", out, "--device", "cpu", "--quiet", "--overwrite"},
            {.ranks = 3, .folder = folder.path});
        ASSERT_TRUE(becomes([&] { return rows() > 3 && ranks_with(out).size() == 3; })) << who;
        const auto ranks = ranks_with(out);
        if (who == "a rank") kill(ranks[1], SIGKILL);
        if (who == "mpirun") {
            const std::string stat = contents("/proc/" + std::to_string(ranks[1]) + "/stat");
            std::istringstream fields(stat.substr(stat.rfind(')') + 2));
            std::string state;
            pid_t parent = 0;
            fields >> state >> parent;
            kill(parent, SIGKILL);
        }
        if (who == "tools/mpirun") program.signal(SIGKILL);
        EXPECT_TRUE(becomes([&] { return ranks_with(out).empty(); }, 10)) << who;
        const Outcome outcome = program.wait();
        EXPECT_EQ(outcome.code, 137) << who;
        EXPECT_LE(lines_of(outcome.err).size(), 1u) << who << ": " << outcome.err;
        for (const WrittenState& state : states_in(folder / "out/cavity.pvd"))
            EXPECT_GT(grid_of(state.file), 20) << state.file;
    }
    const Outcome next = run({"--overwrite", "--set", "time.steps=1"});
    EXPECT_EQ(next.code, 0) << next.err;
}

// ---- output that cannot be written

// From the third step on the disk is full; then there is space again, unless to_the_end.
void run_on_a_full_disk(const Folder& folder, const Arguments& words, bool to_the_end) {
    const fs::path full = folder / "full", table = folder / "out/monitors/flow.csv";
    Program program(
        words, {.folder = folder.path,
                .environment = {{"LD_PRELOAD", SOLENOID_FULL_DISK}, {"FULL_DISK", full.string()}}});
    const auto grows = [&](std::size_t lines) {
        for (int i = 0; i < 6000 && program.is_running(); ++i) {
            if (lines_of(contents(table)).size() > lines) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        FAIL() << program.wait().err;
    };
    grows(3);
    folder.write("full", "");
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    EXPECT_TRUE(program.is_running());
    const std::string when_full = contents(table);
    EXPECT_EQ(when_full.back(), '\n');
    if (!to_the_end) {
        fs::remove(full);
        grows(lines_of(when_full).size() + 3);
    }
    program.signal(SIGTERM);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    for (const char* words : {"No space left on device; the run goes on", "not written: ", ".pvtu"})
        EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("rows of") != std::string::npos, to_the_end) << outcome.err;
    const auto states = states_in(folder / "out/cavity.pvd");
    EXPECT_GE(states.size(), 2u);
    for (const WrittenState& state : states) EXPECT_GT(grid_of(state.file), 20) << state.file;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "out"))
        EXPECT_NE(entry.path().extension(), ".part");
    if (to_the_end) return;
    EXPECT_EQ(summary_in(folder / "out")["status"], "stopped");
    const Table figures = table_in(table);  // no step is missing
    EXPECT_EQ(figures.rows.size(), summary_in(folder / "out")["steps"].get<std::size_t>());
}

TEST_F(OutputFolder, AFullDiskIsOutlived) { run_on_a_full_disk(folder, words(), false); }
TEST_F(OutputFolder, AFullDiskAtTheEndIsTold) { run_on_a_full_disk(folder, words(), true); }

// The same by a small file system, where one may be mounted.
TEST_F(OutputFolder, ASmallFileSystemIsOutlived) {
    const std::string script =
        "mkdir -p out && mount -t tmpfs -o size=300k none out || { echo not permitted; exit 77; "
        "}\n" +
        source("tools/mpirun").string() +
        " -n 2 " SOLENOID_PROGRAM
        " run cavity.toml -o out --device cpu --quiet --set time.steps=60 --set mesh.box.cells=300 "
        "2>err\n"
        "echo code $?; ls out/*.pvtu | wc -l; cp -r out kept\n";
    folder.write("script", script);
    const int status =
        std::system(("cd " + folder.path.string() + " && unshare -m sh script >said 2>&1").c_str());
    const std::string said = contents(folder / "said"), err = contents(folder / "err");
    if (WEXITSTATUS(status) == 77 || said.find("code") == said.npos)
        GTEST_SKIP() << "no mount here (" << said << "); AFullDiskIsOutlived has the same";
    EXPECT_NE(said.find("code 1"), std::string::npos) << said << err;
    EXPECT_NE(err.find("not written: "), std::string::npos) << err;
    for (const WrittenState& state : states_in(folder / "kept/cavity.pvd"))
        EXPECT_GT(grid_of(state.file), 20) << state.file;
    EXPECT_EQ(contents(folder / "kept/monitors/flow.csv").back(), '\n');
}

// ---- the case file

TEST_F(OutputFolder, ThePipeOfACaseIsReadOnceForAllRanks) {
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    Program program({"run", "pipe", "-o", "out", "--device", "cpu", "--set", "time.steps=1"},
                    {.ranks = 3, .folder = folder.path});
    const int pipe = open((folder / "pipe").c_str(), O_WRONLY);  // waits for the reader
    EXPECT_EQ(::write(pipe, cavity.data(), cavity.size()), ssize_t(cavity.size()));
    close(pipe);
    const Outcome outcome = program.wait(40);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(summary_in(folder / "out")["ranks"], 3);
}

TEST_F(OutputFolder, APipeThatNobodyWritesIntoIsNotWaitedForLong) {
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    const Outcome outcome =
        Program({"run", "pipe", "-o", "out"}, {.ranks = 3, .folder = folder.path}).wait(20);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("pipe: nothing came through this pipe"), std::string::npos)
        << outcome.err;
}

TEST_F(OutputFolder, TheCaseIsKeptAsItWasRun) {
    const Arguments settings{"--set", "time.steps=1", "--set", "title=\"a \\\"b\\\"\""};
    const Outcome outcome = run(settings);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string copy = contents(folder / "out/as-run.toml");
    EXPECT_EQ(copy.find(cavity), 0u) << copy;
    for (const char* line :
         {"\n# set \"time.steps=1\"\n", "\n# set \"title=\\\"a ", "cavity.toml\"\n"})
        EXPECT_NE(copy.find(line), std::string::npos) << copy;
    const std::string hash = summary_in(folder / "out")["case_hash"];
    EXPECT_EQ(hash.size(), 16u);
    EXPECT_NE(copy.find("\n# hash " + hash + "\n"), std::string::npos) << copy;
    folder.write("again.toml", copy);
    EXPECT_EQ(run_program({"run", "again.toml", "-o", "out2", "--set", "time.steps=1"},
                          {.folder = folder.path})
                  .code,
              0);
    EXPECT_NE(summary_in(folder / "out2")["case_hash"], hash);
}

TEST_F(OutputFolder, NamesStayInsideAndPrintable) {
    const std::string nameless = cavity.substr(cavity.find('\n') + 1);
    for (const std::string& name :
         {std::string("...toml"), std::string("\x1b[31mred\n.toml"), std::string("caf\xe9.toml")}) {
        folder.write(name, nameless);
        const auto before = all_in(folder.path);
        const Outcome outcome = run_program({"run", name, "-o", "out", "--set", "time.steps=1"},
                                            {.folder = folder.path});
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        EXPECT_NE(outcome.err.find("add a line name = "), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
        EXPECT_TRUE(all_in(folder.path) == before);
    }
    // the remedy
    EXPECT_EQ(run_program({"run", "...toml", "-o", "out", "--set", "time.steps=1", "--set",
                           "name=good", "--quiet"},
                          {.folder = folder.path})
                  .code,
              0);
    EXPECT_EQ(states_in(folder / "out/good.pvd").size(), 2u);
    EXPECT_EQ(run({"--set", "name=\"..\""}).code, 2);
    EXPECT_EQ(run({"--set", "monitor.0.name=\"a\\uFFFF\""}).code, 2);
}

// Groups of a mesh whose names are in Latin-1, or hold a character that XML has no place for.
std::string mesh_with(const std::string& region, const std::string& side) {
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"" + side + "\"\n2 2 \"" +
           region +
           "\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
           "$Elements\n6\n1 2 2 2 1 1 2 3\n2 2 2 2 1 1 3 4\n3 1 2 1 1 1 2\n4 1 2 1 2 2 3\n"
           "5 1 2 1 3 3 4\n6 1 2 1 4 4 1\n$EndElements\n";
}

TEST_F(OutputFolder, NamesOfAMeshAreText) {
    const std::string heat =
        "name = \"m\"\nmesh.file = \"m.msh\"\nmaterial.default.conductivity = 1\n"
        "[boundary.\"Einla\u00df\"]\ntype = \"temperature\"\nvalue = 1\n";
    folder.write("m.toml", heat);
    const Arguments arguments{"run", "m.toml", "-o", "m", "--overwrite", "--quiet"};
    folder.write("m.msh", mesh_with("k\xfchl", "Einla\xdf"));
    for (const int ranks : {1, 2}) {
        const Outcome outcome = run_program(arguments, {.ranks = ranks, .folder = folder.path});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_NE(outcome.err.find("read as Latin-1: \"Einla\u00df\""), std::string::npos)
            << outcome.err;
        const auto states = states_in(folder / "m/m.pvd");
        ASSERT_EQ(states.size(), 1u);
        EXPECT_EQ(field_in(states[0].file).size(), 4u);
        EXPECT_NE(contents(folder / "m/m_000000/m_000000_0.vtu").find("k\u00fchl"),
                  std::string::npos);
    }
    for (const char* name : {"a\xef\xbf\xbf",
                             "a\xc2\x9b"
                             "b"}) {
        folder.write("m.msh", mesh_with(name, "Einla\u00df"));
        const Outcome outcome = run_program(arguments, {.folder = folder.path});
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        EXPECT_NE(outcome.err.find("rename the group"), std::string::npos) << outcome.err;
        EXPECT_EQ(field_in(states_in(folder / "m/m.pvd")[0].file).size(), 4u);
    }
}

// A monitor's value that is not finite is one message on all ranks.
TEST_F(OutputFolder, AValueThatIsNotFiniteIsOneMessage) {
    const std::string box =
        "name = \"b\"\n[mesh.box]\ncells = 60\ndimension = 2\n[material.default]\nconductivity = "
        "1\n"
        "[boundary.xmin]\ntype = \"temperature\"\nvalue = 1\n[boundary.default]\ntype = "
        "\"temperature\"\nvalue = 0\n[[monitor]]\ntype = \"point\"\nname = \"p\"\nat = [0.5, 0.5]\n"
        "[[monitor]]\ntype = \"line\"\nname = \"l\"\nfrom = [0, 0]\nto = [1, 1]\n";
    folder.write("b.toml", box);
    const Outcome outcome =
        run_program({"run", "b.toml", "-o", "b", "--quiet", "--set", "mesh.scale=1e200", "--set",
                     "boundary.xmin.value=x*1e200"},
                    {.ranks = 3, .folder = folder.path});
    EXPECT_NE(outcome.code, 0);
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
}

}  // namespace
}  // namespace solenoid::test::end_to_end_folder_test
