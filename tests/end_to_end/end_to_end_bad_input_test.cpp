// Bad input and failing computations: one message that says what to do, the right exit code on
// every rank, at once, and nothing half-written.
#include <gtest/gtest.h>

#include "results.hpp"

namespace solenoid::test::end_to_end_bad_input_test {
namespace {

using Arguments = std::vector<std::string>;
using Words = std::vector<std::string>;

// A plate with all that can go wrong. Its mesh is beside it.
std::string plate_case(const std::string& mesh = "mesh.msh") {
    return "name = \"case\"\n[mesh]\nfile = \"" + mesh +
           "\"\n"
           "[material.default]\nconductivity = 1\n"
           "[boundary.left]\ntype = \"temperature\"\nvalue = 0\n"
           "[boundary.right]\ntype = \"temperature\"\nvalue = 1\n"
           "[boundary.bottom]\ntype = \"insulated\"\n"
           "[boundary.top]\ntype = \"insulated\"\n";
}

class BadInput : public testing::Test {
  protected:
    // A case is run on one rank, alone, and on three: the same message and exit code.
    void expect(int code, const Words& words, const Arguments& more = {},
                const std::string& warning = "") {
        for (const int ranks : {1, 3}) expect_on(ranks, code, words, more, warning);
    }
    void expect_on(int ranks, int code, const Words& words, const Arguments& more,
                   const std::string& warning = "") {
        fs::remove_all(folder / "out");
        const Outcome o =
            run_program(joined({"run", "case.toml", "-o", "out"}, more),
                        {.ranks = ranks, .folder = folder.path, .environment = environment});
        const testing::ScopedTrace trace(__FILE__, __LINE__, o.out + o.err);
        EXPECT_EQ(o.code, code);
        EXPECT_LT(o.seconds, 20);
        std::string message;
        for (const std::string& line : lines_of(o.err)) {
            if (!warning.empty() && line.find("warning: ") == 0 && line.find(warning) != line.npos)
                continue;
            if (line.find("is taken back and repeated") != line.npos) continue;  // a trial each
            EXPECT_EQ(message, "") << "one line is enough";
            EXPECT_EQ(line.find("solenoid: "), 0u);
            message = line;
        }
        for (const std::string& word : words) EXPECT_NE(message.find(word), message.npos) << word;
        if (code == 2 && !writes_before_it_fails) EXPECT_FALSE(fs::exists(folder / "out"));
    }
    // Of what one rank reads for all: the others are told by the same words, whatever they are.
    void expect_alone(const Words& words, const Arguments& more = {}) {
        expect_on(1, 2, words, more);
    }
    void expect_mesh(const std::string& bytes, const Words& words) {
        folder.write("mesh.msh", bytes);
        expect(2, words);
    }
    void expect_mesh_alone(const std::string& bytes, const Words& words) {
        folder.write("mesh.msh", bytes);
        expect_alone(words);
    }
    void SetUp() override {
        folder.write("mesh.msh", contents(source("meshes/plate.msh")));
        folder.write("case.toml", plate_case());
    }

    Folder folder;
    std::vector<std::pair<std::string, std::string>> environment{{"SOLENOID_GL_SOFTWARE", "1"}};
    bool writes_before_it_fails = false;
};

// ---- the case file

TEST_F(BadInput, Keys) {
    folder.write("case.toml", plate_case() + "[material.default]\n");
    expect(2, {"case.toml:", "given twice"});
    folder.write("case.toml", plate_case() + "[boundary.top]\ntype = \"insulated\"\n");
    expect_alone({"case.toml:16", "boundary.top", "given twice"});
    folder.write("case.toml", plate_case() + "[tmie]\nend = 1\n");
    expect_alone({"case.toml:16", "unknown key \"tmie\"", "did you mean \"time\"?"});
    folder.write("case.toml", plate_case() + "[time\n");
    expect_alone({"case.toml:16"});
    folder.write("case.toml", "conductivity");
    expect_alone({"case.toml:1"});
    fs::remove(folder / "case.toml");
    expect(2, {"case.toml: no such file"});
}

TEST_F(BadInput, Values) {
    expect(2, {"boundary.left.value", "must be a number or a formula", "found true"},
           {"--set", "boundary.left.value=true"});
    expect_alone({"conductivity", "must be positive", "-1"},
                 {"--set", "material.default.conductivity=-1"});
    expect_alone({"cannot read the formula \"1+*y\"", "column 3"},
                 {"--set", "boundary.left.value=1+*y"});
    expect_alone({"no \"=\" in \"mesh\""}, {"--set", "mesh"});
}

TEST_F(BadInput, NamesThatDoNotFitTheMesh) {
    expect(2, {"no boundary \"lefft\"", "did you mean \"left\"?", "\"right\"", "\"bottom\""},
           {"--set", "boundary.lefft.type=insulated"});
    expect_alone({"no region \"steel\"", "\"plate\""}, {"--set", "material.steel.conductivity=1"});
    std::string text = plate_case();
    folder.write("case.toml", text.substr(0, text.find("[boundary.top]")));
    expect(2, {"case.toml", "no condition for the boundary \"top\"", "add [boundary.top]"});
}

TEST_F(BadInput, FormulasThatAreNotFinite) {
    const Words steady{"is not a number at x = 0, y = 0", "sqrt(y-0.5)"};
    expect_on(1, 2, steady, {"--set", "boundary.left.value=sqrt(y-0.5)"});
    expect(2, {"boundary.left.value", "sqrt(y-0.5)", "is not a number"},
           {"--set", "boundary.left.value=sqrt(y-0.5)"});
    expect(2, {"material.default.conductivity", "must be positive"},
           {"--set", "material.default.conductivity=y-0.5"});
    expect(2, {"infinite"}, {"--set", "material.default.source=1/(x-x)"});
    expect(2, {"must not be negative"},
           {"--set", "boundary.top={type=\"convection\",h=\"x-0.5\",T_inf=3}"});
    expect(2, {"1/(x-1)", "infinite at x = 1, y = 1"},
           {"--set", "boundary.top={type=\"convection\",h=1,T_inf=\"1/(x-1)\"}"});
    expect(2, {"log(x-0.5)"}, {"--set", "boundary.top={type=\"flux\",value=\"log(x-0.5)\"}"});
}

TEST_F(BadInput, FormulasThatFailInTime) {
    const Arguments transient{"--set", "time={end=1,step=0.1}", "--set",
                              "material.default.heat_capacity=1"};
    expect(2, {"initial.temperature", "log(x-0.5)"},
           joined(transient, {"--set", "initial.temperature=log(x-0.5)"}));
    // Where formulas are looked through beforehand nothing is touched.
    expect(2, {"boundary.left.value", "sqrt(0.45-t)", "t = 0.45"},
           joined(transient, {"--set", "initial.temperature=0", "--set",
                              "boundary.left.value=sqrt(0.45-t)", "--set", "output.every=2"}));
    EXPECT_FALSE(fs::exists(folder / "out"));
    writes_before_it_fails = true;
    // At a node alone, where formulas are not looked through beforehand: what was written stays.
    expect(2, {"boundary.left.value", "is not a number", "y = 0"},
           joined(transient, {"--set", "initial.temperature=0", "--set",
                              "boundary.left.value=(t>0.45 && y<1e-9) ? sqrt(-1) : 0", "--set",
                              "output.every=2"}));
    EXPECT_EQ(summary_in(folder / "out")["status"], "failed");
    const auto states = states_in(folder / "out/case.pvd");
    ASSERT_EQ(states.size(), 3u);
    for (const auto& state : states) EXPECT_EQ(field_in(state.file).size(), 513u);
}

TEST_F(BadInput, ASteadyProblemWithoutAnAnchor) {
    std::string text = plate_case();
    for (const char* value :
         {"type = \"temperature\"\nvalue = 0", "type = \"temperature\"\nvalue = 1"})
        text.replace(text.find(value), std::string(value).size(), "type = \"insulated\"");
    folder.write("case.toml", text);
    expect(2, {"no solution", "net 1 W", "\"temperature\" or \"convection\"", "[time]"},
           {"--set", "material.default.source=1"});
    EXPECT_EQ(run_program({"run", "case.toml", "-o", "out"}, {.folder = folder.path}).code,
              0);  // nothing flows: fine
}

// ---- the mesh

TEST_F(BadInput, MeshFiles) {
    const std::string whole = contents(source("meshes/plate.msh"));
    expect_mesh(whole.substr(0, whole.size() / 2), {"mesh.msh"});
    for (const double part : {0.1, 0.9})
        expect_mesh_alone(whole.substr(0, std::size_t(part * double(whole.size()))), {"mesh.msh"});
    expect_mesh("", {"mesh.msh: the file is empty"});
    expect_mesh_alone("solid ascii\n", {"mesh.msh"});
    expect_mesh_alone(std::string(5000, '\x07'), {"mesh.msh", "not a Gmsh mesh"});
    fs::remove(folder / "mesh.msh");
    expect(2, {"case.toml:3", "there is no file", "mesh.msh"});
    expect_alone({"is a folder"}, {"--set", "mesh.file=."});
}

TEST_F(BadInput, MeshesThatAllRanksReadTogether) {
    ASSERT_EQ(
        run_program({"mesh", "box", "--cells", "2000", "-o", "mesh.msh"}, {.folder = folder.path})
            .code,
        0);
    const std::string whole = contents(folder / "mesh.msh");
    for (const double part : {0.1, 0.5, 0.9})
        expect_mesh(whole.substr(0, std::size_t(part * double(whole.size()))), {"mesh.msh"});
    const auto last_node = whole.find("\n$EndElements") - 8;
    std::string strange = whole, repeated = whole;
    strange[last_node + 2] = '\x7f';
    expect_mesh(strange, {"mesh.msh (byte ", "which $Nodes does not contain"});
    repeated.replace(last_node, 8, whole, last_node - 8, 8);
    expect_mesh(repeated, {"mesh.msh: cell ", "with its centroid at", "twice"});
}

// A small mesh of Gmsh 2.2: nodes of a cube's corners 1 to 8 and one at its middle.
std::string small_mesh(const Words& elements, const std::string& count = "") {
    std::string text =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
        "$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n9 .5 "
        ".5 "
        ".5\n$EndNodes\n";
    text += "$Elements\n" + (count.empty() ? std::to_string(elements.size()) : count) + "\n";
    for (const std::string& element : elements) text += element + "\n";
    return text + "$EndElements\n";
}

TEST_F(BadInput, MeshesThatAreNotSimplices) {
    expect_mesh(small_mesh({"1 3 2 1 1 1 2 3 4"}), {"mesh.msh", "quad"});
    expect_mesh_alone(small_mesh({"1 5 2 1 1 1 2 3 4 5 6 7 8"}), {"mesh.msh", "hexahedr"});
    expect_mesh_alone(small_mesh({"1 9 2 1 1 1 2 3 4 5 6"}), {"mesh.msh", "order"});
    expect_mesh_alone(small_mesh({"1 4 2 1 1 1 2 3 5"}, "99999999"), {"mesh.msh"});
    expect_mesh_alone(small_mesh({"1 4 2 1 1 1 2 3 77"}), {"mesh.msh", "77"});
}

TEST_F(BadInput, MeshesThatFold) {
    expect_mesh(small_mesh({"1 4 2 1 1 1 2 3 4"}), {"mesh.msh", "volume"});
    expect_mesh_alone(small_mesh({"1 4 2 1 1 1 2 2 5"}), {"mesh.msh"});
    expect_mesh_alone(small_mesh({"1 4 2 1 1 1 2 3 5", "2 4 2 1 1 1 3 2 8", "3 4 2 1 1 1 2 3 9"}),
                      {"mesh.msh"});
}

TEST_F(BadInput, FacesInNoGroup) {
    folder.write("mesh.msh", small_mesh({"1 2 2 7 1 1 2 3", "2 4 2 1 1 1 2 3 5"}));
    folder.write(
        "case.toml",
        "mesh.file = \"mesh.msh\"\nmaterial.default.conductivity = 1\nboundary.group_7 = {type = "
        "\"temperature\", value = 1}\n");
    expect_on(1, 2, {"3 faces of the boundary lie in no named group", "physical group"}, {},
              "5 nodes lie in no cell");
}

TEST_F(BadInput, NodesInNoCellAreDropped) {
    folder.write("mesh.msh", small_mesh({"1 2 2 1 1 1 2 3", "2 1 2 7 1 1 2", "3 1 2 7 1 2 3",
                                         "4 1 2 7 1 3 1"}));
    folder.write(
        "case.toml",
        "mesh.file = \"mesh.msh\"\nmaterial.default.conductivity = 1\nboundary.group_7 = {type = "
        "\"temperature\", value = 1}\n");
    const Outcome o = run_program({"run", "case.toml"}, {.folder = folder.path});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.err.find("6 nodes lie in no cell and were dropped"), std::string::npos) << o.err;
}

TEST_F(BadInput, MoreRanksThanCells) {
    folder.write("mesh.msh", small_mesh({"1 2 2 1 1 1 2 3", "2 2 2 1 1 1 3 4", "3 1 2 7 1 1 2",
                                         "4 1 2 7 1 2 3", "5 1 2 7 1 3 4", "6 1 2 7 1 4 1"}));
    expect_on(3, 2, {"more ranks than cells", "3 ranks, 2 cells", "at most 2"}, {},
              "5 nodes lie in no cell");
}

// ---- where and how it runs

TEST_F(BadInput, OutputFoldersThatCannotBeWritten) {
    expect(2, {"case.toml/out", "choose another"}, {"-o", "case.toml/out"});
    for (const char* out : {"case.toml", "/proc/solenoid", "/dev/null/x"})
        expect_alone({out, "choose another"}, {"-o", out});
}

TEST_F(BadInput, DevicesThatAreNotThere) {
    environment = {{"SOLENOID_GL_SOFTWARE", "1"}, {"SOLENOID_GL_NO_FP64", "1"}};
    expect(2, {"no double precision", "single precision or the device cpu"},
           {"--device", "compute"});
    expect_alone({"no double precision"}, {"--device", "fragment"});
    environment = {{"__EGL_VENDOR_LIBRARY_DIRS", "/nowhere"},
                   {"__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere"}};
    expect(2, {"no OpenGL context", "or choose the device cpu"}, {"--device", "compute"});
    expect_alone({"no OpenGL context"}, {"--device", "fragment", "--precision", "single"});
}

TEST_F(BadInput, AViewWithoutADisplay) {
    environment = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}};
    expect(2, {"--view needs a display"}, {"--view"});
}

// ---- computations that fail

TEST_F(BadInput, TooFewIterations) {
    expect(1, {"not converged in 3 iterations", "max_iterations"},
           {"--set", "solver.temperature.max_iterations=3"});
    EXPECT_EQ(summary_in(folder / "out")["status"], "failed");
    EXPECT_FALSE(fs::exists(folder / "out/case.pvd"));
}

TEST_F(BadInput, ATolerancePastSinglePrecision) {
    const Arguments past{"--precision", "single", "--set", "solver.temperature.tolerance=1e-13"};
    expect(1, {"raise solver.temperature.tolerance, or compute in double precision"}, past);
    EXPECT_EQ(summary_in(folder / "out")["status"], "failed");
    expect(1, {"raise solver.temperature.tolerance"},
           joined(past, {"--set", "time={end=1,step=0.1}", "--set",
                         "material.default.heat_capacity=1", "--set", "initial.temperature=x"}));
    EXPECT_EQ(states_in(folder / "out/case.pvd").size(), 1u);
}

}  // namespace
}  // namespace solenoid::test::end_to_end_bad_input_test
