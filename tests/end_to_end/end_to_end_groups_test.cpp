// Groups, regions and bodies: meshes as people save them, from the file to a result or a refusal
// that helps.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "program.hpp"

namespace solenoid::test::end_to_end_groups_test {
namespace {

using Arguments = std::vector<std::string>;
using Words = std::vector<std::string>;

// A unit square of 4 x 4 x 2 triangles with its lower left corner at x; tags: physical group and
// entity, of its sides (left, right, bottom, top; none where the entity is 0) and its triangles.
struct Square {
    double x = 0;
    std::array<std::array<int, 2>, 4> sides{};
    std::array<int, 2> inside{};
};

// A file of format 2.2. Squares that share nodes where they have the same places, or have nodes of
// their own.
std::string squares_file(const std::vector<Square>& squares, const std::string& names = "",
                         bool shares_nodes = false) {
    constexpr int n = 4;
    std::map<std::pair<double, double>, int> known;
    std::string nodes, elements;
    int node_count = 0, element_count = 0;
    const auto element = [&](int type, const std::array<int, 2>& tags, const std::vector<int>& of) {
        if (tags[1] == 0) return;
        elements += std::to_string(++element_count) + " " + std::to_string(type) + " 2 " +
                    std::to_string(tags[0]) + " " + std::to_string(tags[1]);
        for (const int node : of) elements += " " + std::to_string(node);
        elements += "\n";
    };
    for (const Square& s : squares) {
        if (!shares_nodes) known.clear();
        const auto node = [&](int i, int j) {
            const std::pair place{s.x + double(i) / n, double(j) / n};
            const auto [entry, is_new] = known.try_emplace(place, node_count + 1);
            if (is_new)
                nodes += std::to_string(++node_count) + " " + std::to_string(place.first) + " " +
                         std::to_string(place.second) + " 0\n";
            return entry->second;
        };
        for (int i = 0; i < n; ++i) {
            element(1, s.sides[0], {node(0, i), node(0, i + 1)});
            element(1, s.sides[1], {node(n, i), node(n, i + 1)});
            element(1, s.sides[2], {node(i, 0), node(i + 1, 0)});
            element(1, s.sides[3], {node(i, n), node(i + 1, n)});
            for (int j = 0; j < n; ++j) {
                element(2, s.inside, {node(i, j), node(i + 1, j), node(i + 1, j + 1)});
                element(2, s.inside, {node(i, j), node(i + 1, j + 1), node(i, j + 1)});
            }
        }
    }
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + names + "$Nodes\n" +
           std::to_string(node_count) + "\n" + nodes + "$EndNodes\n$Elements\n" +
           std::to_string(element_count) + "\n" + elements + "$EndElements\n";
}

const std::string names =
    "$PhysicalNames\n6\n1 1 \"hot\"\n1 2 \"cold\"\n1 3 \"rest\"\n1 4 \"between\"\n2 5 \"water\"\n2 "
    "6 \"steel\"\n$EndPhysicalNames\n";
const std::string heat =
    "name = \"case\"\n[mesh]\nfile = \"mesh.msh\"\n[material.default]\nconductivity = 1\n";
const std::string hot = "[boundary.hot]\ntype = \"temperature\"\nvalue = 1\n",
                  cold = "[boundary.cold]\ntype = \"temperature\"\nvalue = 0\n";

class Groups : public testing::Test {
  protected:
    Outcome solenoid(const Arguments& arguments, int ranks = 1) {
        return run_program(arguments, {.ranks = ranks, .folder = folder.path});
    }
    Outcome run(const Arguments& more = {}, int ranks = 1) {
        fs::remove_all(folder / "out");
        return solenoid(joined({"run", "case.toml", "-o", "out", "--device", "cpu"}, more), ranks);
    }
    // The run ends well on one rank and on three, and this much heat enters through a boundary,
    // exactly but for the solver.
    void expect_heat(const std::string& boundary, double watts, const Arguments& more = {}) {
        for (const int ranks : {1, 3}) {
            const Outcome o = run(more, ranks);
            ASSERT_EQ(o.code, 0) << o.out << o.err;
            EXPECT_NEAR(std::abs(last(boundary)), watts, 1e-6) << ranks << " ranks";
        }
    }
    void expect_refusal(const Words& words, const Arguments& more = {}) {
        for (const int ranks : {1, 3}) {
            const Outcome o = run(more, ranks);
            EXPECT_EQ(o.code, 2) << o.out << o.err;
            for (const std::string& word : words)
                EXPECT_NE(o.err.find(word), o.err.npos) << word << "\nin " << o.err;
        }
    }
    // The last value of a column of boundaries.csv.
    double last(const std::string& column) const {
        const auto lines = lines_of(contents(folder / "out/monitors/boundaries.csv"));
        const auto cells = [](const std::string& line) {
            Words words;
            std::istringstream stream(line);
            for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
            return words;
        };
        const Words head = cells(lines.at(0)), values = cells(lines.back());
        for (std::size_t i = 0; i < head.size(); ++i)
            if (head[i] == column) return std::stod(values.at(i));
        ADD_FAILURE() << "no column " << column << " in " << lines[0];
        return 0;
    }

    Folder folder;
};

// Named sides left and right, the rest of the boundary in no group: of no entity, or of one.
TEST_F(Groups, DefaultCoversWhatHasNoTable) {
    folder.write(
        "mesh.msh",
        squares_file({{.sides = {{{1, 1}, {2, 2}, {0, 0}, {0, 4}}}, .inside = {5, 1}}}, names));
    folder.write("case.toml", heat + hot + cold);
    expect_refusal({"no condition for the boundary \"curve_4\"", "[boundary.default]"});
    folder.write("case.toml", heat + hot + cold + "[boundary.curve_4]\ntype = \"insulated\"\n");
    expect_refusal({"4 faces of the boundary lie in no named group", "[boundary.default]"});
    folder.write("case.toml", heat + hot + cold + "[boundary.default]\ntype = \"insulated\"\n");
    expect_heat("hot", 1);
    expect_heat("default", 0);
    folder.write("case.toml",
                 heat + hot + "[boundary.default]\ntype = \"temperature\"\nvalue = 1\n");
    expect_heat("cold", 0);
    folder.write("case.toml",
                 heat + hot + cold + "[boundary.default]\ntype = \"flux\"\nvalue = 3\n");
    expect_heat("curve_4", 3);  // each has the condition for itself
    EXPECT_NEAR(last("default"), 3, 1e-6);
}

// A name in Latin-1 is one in UTF-8 for `mesh info`, `init` and `run` alike, and in the results.
TEST_F(Groups, Latin1NamesAreReadAsUtf8) {
    std::string latin1 = names;
    latin1.replace(latin1.find("hot"), 3, "D\xFCse");
    latin1.replace(latin1.find("water"), 5, "Gef\xE4\xDF");
    folder.write(
        "mesh.msh",
        squares_file({{.sides = {{{1, 1}, {2, 2}, {0, 0}, {0, 0}}}, .inside = {5, 1}}}, latin1));
    const Outcome info = solenoid({"mesh", "info", "--json", "mesh.msh"});
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_NE(info.out.find("\"name\": \"D\xC3\xBCse\""), info.out.npos) << info.out;
    EXPECT_NE(info.err.find("read as Latin-1: \""), info.err.npos) << info.err;
    EXPECT_EQ(solenoid({"init", "mesh.msh", "-o", "case.toml"}).code, 0);
    EXPECT_NE(contents(folder / "case.toml").find("\"D\xC3\xBCse\""), std::string::npos);
    ASSERT_EQ(run().code, 0);
    EXPECT_GT(std::abs(last("D\xC3\xBCse")), 0.1);
    folder.write("case.toml", heat +
                                  "[boundary.\"D\xC3\xBCse\"]\ntype = \"temperature\"\n"
                                  "value = 1\n" +
                                  cold);
    expect_heat("D\xC3\xBCse", 1, {"--set", "boundary.default.type=insulated"});
}

// What no XML may hold is refused where the mesh is read, by all commands with the same words.
TEST_F(Groups, NamesThatNoTextMayHoldAreRefused) {
    for (const auto& [name, reason] :
         {std::pair{"a\xEF\xBF\xBF",
                    "the name 'a??"
                    "?' holds a control character, U+FFFE or U+FFFF: "
                    "rename the group in the geometry"},
          std::pair{
              "a\x1B[31m",
              "the name 'a?[31m' holds a control character, U+FFFE or U+FFFF: rename the group"}}) {
        std::string bad = names;
        bad.replace(bad.find("steel"), 5, name);
        folder.write(
            "mesh.msh",
            squares_file({{.sides = {{{1, 1}, {2, 2}, {0, 0}, {0, 0}}}, .inside = {5, 1}}}, bad));
        folder.write("case.toml", heat + hot + cold);
        expect_refusal({"mesh.msh:11: ", reason});
        for (const Arguments& command : {Arguments{"mesh", "info", "mesh.msh"},
                                         Arguments{"init", "mesh.msh", "-o", "x.toml"}}) {
            const Outcome o = solenoid(command);
            EXPECT_EQ(o.code, 2);
            EXPECT_NE(o.err.find(reason), o.err.npos) << o.err;
        }
        EXPECT_FALSE(fs::exists(folder / "x.toml"));
        EXPECT_FALSE(fs::exists(folder / "out"));
    }
}

// Control characters of a case file or a command line stay away from the terminal.
TEST_F(Groups, TheTerminalIsNotCommanded) {
    folder.write(
        "mesh.msh",
        squares_file({{.sides = {{{1, 1}, {2, 2}, {0, 0}, {0, 0}}}, .inside = {5, 1}}}, names));
    const std::string command = "\\u001b[31m";
    for (const std::string& text :
         {heat + hot + cold + "[boundary.\"a" + command + "\"]\ntype = \"insulated\"\n",
          heat + "[boundary.hot]\ntype = \"" + command + "\"\n",
          "title = \"" + command + "\"\n" + heat + hot + cold}) {
        folder.write("case.toml", text);
        for (const Arguments& more : {Arguments{}, Arguments{"--set", "a\x1B[31m.b\x07=1"}}) {
            const Outcome o = run(more);
            EXPECT_EQ(o.code, 2) << o.out << o.err;
            EXPECT_EQ((o.out + o.err).find_first_of("\x1B\x07"), std::string::npos) << o.err;
        }
    }
}

TEST_F(Groups, DefaultOfFlowsAndWaves) {
    folder.write(
        "mesh.msh",
        squares_file({{.sides = {{{1, 1}, {0, 0}, {0, 0}, {0, 4}}}, .inside = {5, 1}}}, names));
    folder.write("case.toml",
                 "physics = \"flow\"\n[mesh]\nfile = \"mesh.msh\"\n[fluid]\nviscosity = "
                 "1\n[boundary.hot]\ntype = \"wall\"\nvelocity = [0, 1]\n"
                 "[boundary.default]\ntype = \"wall\"\n[time]\nend = 1\nsteps = 2\n");
    for (const int ranks : {1, 3}) EXPECT_EQ(run({}, ranks).code, 0);
    folder.write("case.toml",
                 "physics = \"wave\"\n[mesh]\nfile = \"mesh.msh\"\n[wave]\nspeed = "
                 "1\n[boundary.default]\ntype = \"fixed\"\n[time]\nend = 0.1\n");
    for (const int ranks : {1, 3}) EXPECT_EQ(run({}, ranks).code, 0);
}

// A file without a physical group: its case runs as `init` writes it, with the names of the
// geometry.
TEST_F(Groups, EntitiesNameWhatIsInNoGroup) {
    folder.write(
        "mesh.msh",
        squares_file({{.sides = {{{0, 11}, {0, 12}, {0, 13}, {0, 14}}}, .inside = {0, 7}}}));
    ASSERT_EQ(solenoid({"init", "mesh.msh", "-o", "case.toml"}).code, 0);
    const std::string text = contents(folder / "case.toml");
    for (const char* table : {"[boundary.curve_11]", "[boundary.curve_14]", "[material.surface_7]"})
        EXPECT_NE(text.find(table), text.npos) << table;
    for (const int ranks : {1, 3}) EXPECT_EQ(run({}, ranks).code, 0);
    const Outcome info = solenoid({"mesh", "info", "mesh.msh"});
    for (const char* name : {"curve_12", "surface_7"})
        EXPECT_NE(info.out.find(name), info.out.npos) << name;
}

TEST_F(Groups, LinesAlone) {
    folder.write(
        "mesh.msh",
        squares_file({{.sides = {{{1, 1}, {2, 2}, {3, 3}, {3, 4}}}, .inside = {0, 0}}}, names));
    const Outcome info = solenoid({"mesh", "info", "mesh.msh"});
    EXPECT_EQ(info.code, 2);
    for (const char* word :
         {"lines only, 16", "\"cold\", \"hot\", \"rest\"", "Physical Surface", "Mesh.SaveAll = 1"})
        EXPECT_NE(info.err.find(word), info.err.npos) << word << info.err;
}

// Two squares beside each other with nodes of their own: a bar of two pieces, 1 W/m where they are
// one (k dT A / L = 1 x 1 x 1 / 2).
TEST_F(Groups, BodiesFaceOnFace) {
    folder.write("mesh.msh", squares_file({{0, {{{1, 1}, {3, 2}, {3, 3}, {3, 4}}}, {5, 1}},
                                           {1, {{{3, 5}, {2, 6}, {3, 7}, {3, 8}}}, {6, 2}}},
                                          names));
    folder.write("case.toml", heat + hot + cold + "[boundary.rest]\ntype = \"insulated\"\n");
    expect_refusal({"mesh.msh: ", "4 faces", "\"water\" and \"steel\"", "BooleanFragments",
                    "mesh.glue = LENGTH"});
    expect_heat("hot", 0.5, {"--set", "mesh.glue=1e-6"});
    expect_heat("hot", 0, {"--set", "mesh.glue=0"});
    expect_refusal({"must be below the shortest edge, 0.25 m"}, {"--set", "mesh.glue=0.3"});
    const Outcome info = solenoid({"mesh", "info", "mesh.msh"});
    EXPECT_NE(info.out.find("2, of 32, 32 cells"), info.out.npos) << info.out;
    EXPECT_NE(info.err.find("coinciding faces: 4 faces"), info.err.npos) << info.err;
}

// The upper half of the second square's left side is not opposite that of the first one: what would
// be joined leaves a hole.
TEST_F(Groups, BodiesThatTouchButAreMeshedDifferently) {
    std::string file = squares_file({{0, {{{1, 1}, {3, 2}, {3, 3}, {3, 4}}}, {5, 1}},
                                     {1, {{{3, 5}, {2, 6}, {3, 7}, {3, 8}}}, {6, 2}}},
                                    names);
    const std::string node = " 1.000000 0.750000 0\n";
    file.replace(file.rfind(node), node.size(), " 1.000000 0.700000 0\n");
    folder.write("mesh.msh", file);
    folder.write("case.toml", heat + hot + cold + "[boundary.rest]\ntype = \"insulated\"\n");
    expect_refusal({"touch with different meshes: 4 faces"});
    expect_refusal({"mesh.glue = 1e-06 m", "with different meshes, at 4 faces"},
                   {"--set", "mesh.glue=1e-6"});
    expect_heat("hot", 0, {"--set", "mesh.glue=0"});
}

TEST_F(Groups, BodiesThatOverlapOrStandApart) {
    folder.write("case.toml", heat + "[boundary.default]\ntype = \"temperature\"\nvalue = 1\n");
    folder.write("mesh.msh",
                 squares_file({{0, {{{3, 1}}}, {5, 1}}, {0.6, {{{3, 5}}}, {6, 2}}}, names));
    expect_refusal({"overlap", "\"water\" and \"steel\"", "BooleanFragments"});
    expect_refusal({"overlap"}, {"--set", "mesh.glue=0"});
    folder.write("mesh.msh",
                 squares_file({{0, {{{3, 1}}}, {5, 1}}, {2, {{{3, 5}}}, {6, 2}}}, names));
    const Outcome o = run({}, 3);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("2 parts that share no nodes, of 32, 32 cells"), o.out.npos) << o.out;
}

TEST_F(Groups, FlowAsksWhichRegionsAreFluid) {
    const std::string flow =
        "physics = \"flow\"\n[mesh]\nfile = \"mesh.msh\"\n[boundary.hot]\ntype = "
        "\"wall\"\nvelocity = [0, 1]\n[time]\nend = 1\nsteps = 2\n"
        "[boundary.rest]\ntype = \"wall\"\n[fluid]\nviscosity = 1\n";
    const auto file = [](int between) {
        return squares_file({{0, {{{1, 1}, {between, between}, {3, 3}, {3, 4}}}, {5, 1}},
                             {1, {{{0, 0}, {3, 6}, {3, 7}, {3, 8}}}, {6, 2}}},
                            names, true);
    };
    folder.write("mesh.msh", file(0));
    folder.write("case.toml", flow);
    expect_refusal({"\"water\", \"steel\"", "[fluid] regions = "});
    folder.write("case.toml", flow + "regions = [\"watr\"]\n");
    expect_refusal({"case.toml:", "no region \"watr\"", "did you mean \"water\"?"});
    folder.write("case.toml", flow + "regions = [\"water\"]\n");
    for (const int ranks : {1, 3}) {
        const Outcome o = run({}, ranks);
        ASSERT_EQ(o.code, 0) << o.out << o.err;
        EXPECT_NE(o.out.find("32 triangles, 25 nodes"), o.out.npos) << o.out;
        EXPECT_EQ(last("interface_steel"), 0);
    }
    folder.write("case.toml",
                 flow + "regions = [\"water\"]\n[boundary.interface_steel]\ntype = \"outflow\"\n");
    EXPECT_EQ(run().code, 0);
    folder.write("case.toml", flow + "regions = [\"water\", \"steel\"]\n");
    EXPECT_NE(run().out.find("64 triangles"), std::string::npos);
    folder.write("mesh.msh", file(4));
    folder.write("case.toml", flow + "regions = [\"water\"]\n");
    expect_refusal({"no condition for the boundary \"between\""});
    folder.write("case.toml",
                 flow + "regions = [\"water\"]\n[boundary.between]\ntype = \"wall\"\n");
    EXPECT_EQ(run().code, 0);
}

TEST_F(Groups, TwoFluxesOnOneFace) {
    std::string file =
        squares_file({{.sides = {{{1, 1}, {2, 2}, {3, 3}, {3, 4}}}, .inside = {5, 1}}}, names);
    file.replace(file.find("$Elements\n48\n"), 13, "$Elements\n49\n");
    // a face of "hot", in "between" too
    file.replace(file.find("$EndElements"), 12, "49 1 2 4 1 1 2\n$EndElements");
    folder.write("mesh.msh", file);
    const std::string flux = "[boundary.between]\ntype = \"flux\"\nvalue = 1\n",
                      rest = "[boundary.rest]\ntype = \"insulated\"\n";
    folder.write("case.toml", heat + hot + cold + rest + flux);
    EXPECT_EQ(run().code, 0);  // a temperature beats a flux
    folder.write("case.toml", heat + cold + rest + flux +
                                  "[boundary.hot]\ntype = \"convection\"\nh = 1\nT_inf = 2\n");
    expect_refusal({"case.toml:", "\"between\"", "\"hot\"", "(0, 0.125, 0)"});
}

// Both sides of it: the mesh is slit there. Not by a default.
TEST_F(Groups, InsulatedInsideTheDomain) {
    folder.write(
        "mesh.msh",
        squares_file({{.sides = {{{1, 1}, {4, 4}, {3, 3}, {3, 5}}}, .inside = {5, 1}},
                      {.x = 1, .sides = {{{0, 0}, {2, 2}, {3, 6}, {3, 7}}}, .inside = {5, 2}}},
                     names, true));
    const std::string rest = "[boundary.rest]\ntype = \"insulated\"\n";
    folder.write("case.toml",
                 heat + hot + cold + rest + "[boundary.between]\ntype = \"insulated\"\n");
    expect_heat("hot", 0);
    const Outcome o = run({}, 3);
    for (const char* word :
         {"\"between\": 4 faces inside the domain", "2 parts that share no nodes, of 32, 32 cells"})
        EXPECT_NE(o.out.find(word), o.out.npos) << word << o.out;
    folder.write("case.toml", heat + hot + cold + rest +
                                  "[boundary.between]\ntype = \"convection\"\nh = 1\nT_inf = 2\n");
    expect_refusal({"case.toml:", "between", "inside the domain"});
    for (const std::string& insulated :
         {rest, std::string("[boundary.default]\ntype = \"insulated\"\n")}) {
        folder.write("case.toml", heat + hot + cold + insulated);
        expect_heat("hot", 0.5);
    }
}

TEST_F(Groups, UnitsAndSize) {
    folder.write(
        "mesh.msh",
        squares_file({{.x = 200, .sides = {{{1, 1}, {2, 2}, {3, 3}, {3, 4}}}, .inside = {5, 1}},
                      {.x = 0, .sides = {{{3, 1}, {3, 2}, {3, 3}, {3, 4}}}, .inside = {5, 1}}},
                     names));
    folder.write("case.toml",
                 heat + hot + cold + "[boundary.rest]\ntype = \"temperature\"\nvalue = 0\n");
    Outcome o = run();
    EXPECT_NE(o.out.find(" nodes, 201 x 1 m, "), o.out.npos) << o.out;
    EXPECT_NE(o.out.find("drawn in millimetres, take [mesh] unit = \"mm\""), o.out.npos) << o.out;
    o = run({"--set", "mesh.unit=mm"});
    EXPECT_NE(o.out.find(" nodes, 0.201 x 0.001 m, "), o.out.npos) << o.out;
    EXPECT_EQ(o.out.find("drawn in millimetres"), o.out.npos) << o.out;
    expect_refusal({"mesh.unit", "\"mm\""}, {"--set", "mesh.unit=mile"});
    folder.write("case.toml",
                 "[mesh]\nfile = \"mesh.msh\"\nunit = \"mm\"\nscale = "
                 "2\n[material.default]\nconductivity = 1\n");
    expect_refusal({"unit", "scale"});
    o = solenoid({"mesh", "info", "mesh.msh", "--unit", "mm"});
    EXPECT_NE(o.out.find("(0, 0, 0) to (0.201, 0.001, 0) m"), o.out.npos) << o.out;
    ASSERT_EQ(solenoid({"init", "mesh.msh", "-o", "mm.toml", "--unit", "mm"}).code, 0);
    EXPECT_NE(contents(folder / "mm.toml").find("\nunit = \"mm\"\n"), std::string::npos);
}

TEST_F(Groups, MistakesOnTheCommandLine) {
    folder.write(
        "mesh.msh",
        squares_file({{.sides = {{{1, 1}, {2, 2}, {3, 3}, {3, 4}}}, .inside = {5, 1}}}, names));
    Outcome o = solenoid({"run", "case.toml", "--ouput", "x"});
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("no option --ouput: did you mean --output?"), o.err.npos) << o.err;
    o = solenoid({"mesh", "info", "mesh.msh", "--unti=mm"});
    EXPECT_NE(o.err.find("no option --unti: did you mean --unit?"), o.err.npos) << o.err;
    o = solenoid({"mesh", "box", "--cells", "100", "-o", "b.vtk"});
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("b.msh"), o.err.npos) << o.err;
    EXPECT_FALSE(fs::exists(folder / "b.vtk"));
}

}  // namespace
}  // namespace solenoid::test::end_to_end_groups_test
