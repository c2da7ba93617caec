// Thin walls: a case slits the mesh along its plates as a mesh is that was slit by hand.
#include <gtest/gtest.h>

#include "results.hpp"

namespace solenoid::test::end_to_end_baffles_test {
namespace {

// A channel of 8 x 4 squares of 0.25 m, 2 triangles each, in format 2.2. A plate stands on the
// floor at x = 0.75 m, 0.5 m high; another one stands free at x = 1.25 m, from 0.25 to 0.75 m. By
// hand: cells to the right of a plate have copies of the nodes that are not its tips. Or, not by
// hand: one plate all the way across at x = 0.75 m. Of the group "plate", 4, or "walls", 3.
std::string channel(bool slit_by_hand, bool is_across = false, int group = 4) {
    constexpr int columns = 8, rows = 4;
    std::vector<std::pair<int, int>> edges{{3, 0}, {3, 1}, {5, 1}, {5, 2}};  // from there upwards
    if (is_across) edges = {{3, 0}, {3, 1}, {3, 2}, {3, 3}};
    const std::vector<std::pair<int, int>> within{{3, 0}, {3, 1}, {5, 2}};
    std::ostringstream nodes, elements;
    int count = 0;
    const auto set = [&](int i, int j) {
        nodes << ++count << ' ' << 0.25 * i << ' ' << 0.25 * j << " 0\n";
    };
    for (int j = 0; j <= rows; ++j)
        for (int i = 0; i <= columns; ++i) set(i, j);
    for (const auto& [i, j] : within)
        if (slit_by_hand) set(i, j);
    const auto node = [&](int i, int j, int column) {  // as squares of this column have it
        const auto found = std::ranges::find(within, std::pair(i, j));
        if (!slit_by_hand || found == within.end() || column < i) return j * (columns + 1) + i + 1;
        return (rows + 1) * (columns + 1) + int(found - within.begin()) + 1;
    };
    int element_count = 0;
    const auto line = [&](int group, int a, int b) {
        elements << ++element_count << " 1 2 " << group << ' ' << group << ' ' << a << ' ' << b
                 << '\n';
    };
    const auto triangle = [&](int a, int b, int c) {
        elements << ++element_count << " 2 2 5 5 " << a << ' ' << b << ' ' << c << '\n';
    };
    const auto plate = [&](int i, int j) {
        for (const int column : {i - 1, i})
            if (slit_by_hand || column == i)
                line(group, node(i, j, column), node(i, j + 1, column));
    };
    for (int j = 0; j < rows; ++j) {
        line(1, node(0, j, 0), node(0, j + 1, 0));
        line(2, node(columns, j, columns - 1), node(columns, j + 1, columns - 1));
    }
    for (const auto& [i, j] : edges) plate(i, j);
    for (int i = 0; i < columns; ++i) {
        for (const int j : {0, rows}) line(3, node(i, j, i), node(i + 1, j, i));
        for (int j = 0; j < rows; ++j) {
            triangle(node(i, j, i), node(i + 1, j, i), node(i + 1, j + 1, i));
            triangle(node(i, j, i), node(i + 1, j + 1, i), node(i, j + 1, i));
        }
    }
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n1 1 \"inlet\"\n1 2 "
           "\"outlet\"\n1 3 \"walls\"\n1 4 \"plate\"\n2 5 \"water\"\n$EndPhysicalNames\n$Nodes\n" +
           std::to_string(count) + "\n" + nodes.str() + "$EndNodes\n$Elements\n" +
           std::to_string(element_count) + "\n" + elements.str() + "$EndElements\n";
}

const std::string flow = R"toml(physics = "flow"
name = "case"
mesh.file = "mesh.msh"
[fluid]
viscosity = 0.1
[boundary.inlet]
type = "inflow"
velocity = ["4*y*(1 - y)", 0]
[boundary.outlet]
type = "outflow"
[boundary.walls]
type = "wall"
[boundary.plate]
type = "wall"
[time]
end = 1
step = 0.02
steps = 20
[solver.stream_function]
tolerance = 1e-11
[solver.pressure]
tolerance = 1e-11
[solver.momentum]
tolerance = 1e-11
[[monitor]]
type = "force"
name = "force"
boundaries = ["plate"]
[[monitor]]
type = "point"
name = "upstream"
at = [0.3, 0.6]
)toml";

class Baffles : public testing::Test {
  protected:
    Outcome run(const std::string& mesh, const std::string& text,
                const std::vector<std::string>& more = {}, int ranks = 1) {
        fs::remove_all(folder / "out");
        folder.write("mesh.msh", mesh);
        folder.write("case.toml", text);
        return run_program(joined({"run", "case.toml", "-o", "out", "--device", "cpu"}, more),
                           {.ranks = ranks, .folder = folder.path});
    }
    // The last row of a monitor's table.
    std::vector<double> last(const std::string& name) const {
        std::vector<double> values;
        for (const auto& value : table_in(folder / ("out/monitors/" + name + ".csv")).rows.back())
            values.push_back(value.value_or(0));
        return values;
    }

    Folder folder;
};

// Forces on both sides of the plates, and the pressure upstream: both to the tolerance of the
// solvers.
TEST_F(Baffles, AreThePlatesOfAMeshSlitByHand) {
    for (const std::string type : {"wall", "symmetry"})
        for (const std::string method : {"exact", "classical"}) {
            SCOPED_TRACE(type + ", " + method);
            const std::vector<std::string> changes{"--set", "flow.method=" + method, "--set",
                                                   "boundary.plate.type=" + type};
            const Outcome by_hand = run(channel(true), flow, changes);
            ASSERT_EQ(by_hand.code, 0) << by_hand.out << by_hand.err;
            const std::vector<double> force = last("force"), upstream = last("upstream");
            EXPECT_GT(std::abs(force.at(1)), 0.01);
            for (const int ranks : {1, 3}) {
                const Outcome o = run(channel(false), flow, changes, ranks);
                ASSERT_EQ(o.code, 0) << o.out << o.err;
                EXPECT_NE(o.out.find("\"plate\": 4 faces inside the domain"), o.out.npos) << o.out;
                const auto expect_near = [&](const std::vector<double>& found,
                                             const std::vector<double>& expected) {
                    ASSERT_EQ(found.size(), expected.size());
                    for (std::size_t k = 0; k < found.size(); ++k)
                        EXPECT_NEAR(found[k], expected[k], 1e-7 * (1 + std::abs(expected[k])))
                            << k << ", " << ranks << " ranks";
                };
                expect_near(last("force"), force);
                expect_near(last("upstream"), upstream);
            }
        }
}

// A flow through what has no table; what a wall cannot be; nothing is slit along other types.
TEST_F(Baffles, AreAskedFor) {
    const auto without = [](std::string text, const std::string& part) {
        return text.erase(text.find(part), part.size());
    };
    const std::string plain =
        without(without(flow, "[boundary.plate]\ntype = \"wall\"\n"),
                "[[monitor]]\ntype = \"force\"\nname = \"force\"\nboundaries = [\"plate\"]\n");
    const Outcome o = run(channel(false), plain);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.out.find("inside the domain"), o.out.npos) << o.out;
    for (const int ranks : {1, 3}) {
        const Outcome refused =
            run(channel(false), plain + "[boundary.plate]\ntype = \"outflow\"\n", {}, ranks);
        EXPECT_EQ(refused.code, 2);
        for (const char* word : {"case.toml:", "\"plate\" lies inside the domain",
                                 "only walls and symmetry", "slit the mesh there"})
            EXPECT_NE(refused.err.find(word), refused.err.npos) << word << refused.err;
    }
}

// The plate of thin_plate on the floor, its foot and tip open and whole as Gmsh's plugin makes
// them.
TEST_F(Baffles, AreThoseOfGmshsCrack) {
    if (std::system("command -v gmsh >/dev/null 2>&1") != 0)
        GTEST_SKIP() << "Gmsh is not installed";
    folder.write(
        "channel.geo",
        R"(Point(1) = {0,0,0,0.2}; Point(2) = {1,0,0,0.1}; Point(3) = {2,0,0,0.2}; Point(4) = {2,1,0,0.2}; Point(5) = {0,1,0,0.2}; Point(6) = {1,0.5,0,0.06};
Line(1) = {1,2}; Line(2) = {2,3}; Line(3) = {3,4}; Line(4) = {4,5}; Line(5) = {5,1}; Line(6) = {2,6};
Curve Loop(1) = {1,2,3,4,5}; Plane Surface(1) = {1}; Curve{6} In Surface{1};
Physical Surface("water", 10) = {1}; Physical Curve("walls", 1) = {1,2,4}; Physical Curve("outlet", 2) = {3}; Physical Curve("inlet", 3) = {5};
Physical Curve("plate", 4) = {6}; Physical Point("foot", 5) = {2};
)");
    folder.write(
        "crack.geo",
        "Merge \"channel.msh\";\nPlugin(Crack).Dimension = 1;\nPlugin(Crack).PhysicalGroup = "
        "4;\nPlugin(Crack).OpenBoundaryPhysicalGroup = 5;\nPlugin(Crack).Run;\n");
    const std::string in = "cd '" + folder.path.string() + "' && gmsh -v 1 -nt 1 -format msh22 ";
    ASSERT_EQ(std::system((in + "-2 channel.geo -o channel.msh >/dev/null && gmsh -v 1 -nt 1 "
                                "-format msh22 -save crack.geo -o crack.msh >/dev/null")
                              .c_str()),
              0);
    for (const std::string method : {"exact", "classical"}) {
        const Outcome by_gmsh = run(contents(folder / "crack.msh"), flow,
                                    {"--set", "flow.method=" + method, "--set", "time.step=0.005"});
        ASSERT_EQ(by_gmsh.code, 0) << by_gmsh.err;
        const std::vector<double> force = last("force"), upstream = last("upstream");
        EXPECT_GT(std::abs(force.at(1)), 0.01);
        const Outcome o = run(contents(folder / "channel.msh"), flow,
                              {"--set", "flow.method=" + method, "--set", "time.step=0.005"}, 2);
        ASSERT_EQ(o.code, 0) << o.err;
        for (std::size_t k = 0; k < force.size(); ++k)
            EXPECT_NEAR(last("force").at(k), force[k], 1e-7 * (1 + std::abs(force[k]))) << k;
        for (std::size_t k = 0; k < upstream.size(); ++k)
            EXPECT_NEAR(last("upstream").at(k), upstream[k], 1e-7 * (1 + std::abs(upstream[k])))
                << k;
    }
}

// A group of walls of which some stand inside.
TEST_F(Baffles, ArePartsOfAGroupOfWalls) {
    const std::string own = "[boundary.plate]\ntype = \"wall\"\n";
    std::string text = flow;
    text.erase(text.find(own), own.size());
    text.replace(text.find("[\"plate\"]"), 9, "[\"walls\"]");
    for (const std::string method : {"exact", "classical"}) {
        ASSERT_EQ(run(channel(true, false, 3), text, {"--set", "flow.method=" + method}).code, 0);
        const std::vector<double> force = last("force"), upstream = last("upstream");
        const Outcome o =
            run(channel(false, false, 3), text, {"--set", "flow.method=" + method}, 2);
        ASSERT_EQ(o.code, 0) << o.err;
        EXPECT_NE(o.out.find("\"walls\": 4 faces inside the domain"), o.out.npos) << o.out;
        for (std::size_t k = 0; k < force.size(); ++k)
            EXPECT_NEAR(last("force").at(k), force[k], 1e-7 * (1 + std::abs(force[k]))) << k;
        for (std::size_t k = 0; k < upstream.size(); ++k)
            EXPECT_NEAR(last("upstream").at(k), upstream[k], 1e-7 * (1 + std::abs(upstream[k])))
                << k;
    }
}

const std::string heat = R"toml(name = "case"
mesh.file = "mesh.msh"
material.default.conductivity = 2
material.default.heat_capacity = 0.1
[boundary.inlet]
type = "temperature"
value = 5
[boundary.outlet]
type = "convection"
h = 4
T_inf = 1
[boundary.default]
type = "insulated"
[boundary.plate]
type = "contact"
resistance = "0.3 + 0*y"
[solver.temperature]
tolerance = 1e-13
)toml";

// Resistances in series [m^2 K/W]: 2/2 of the body, 0.3, 1/4 of the surroundings; the heat through
// 1 m^2 a metre. Steady, and long after the start.
TEST_F(Baffles, OfHeatResist) {
    const double q = 4 / (1 + 0.3 + 0.25);
    for (const std::string time : {"", "[time]\nend = 40\n[initial]\ntemperature = 1\n"})
        for (const int ranks : {1, 3}) {
            const Outcome o = run(channel(false, true), heat + time, {}, ranks);
            ASSERT_EQ(o.code, 0) << o.out << o.err;
            EXPECT_NE(o.out.find("across   plate 2.5806 W/m"), o.out.npos) << o.out;
            EXPECT_NE(o.out.find("2 parts that share no nodes, of 40, 24 cells"), o.out.npos)
                << o.out;
            const Table table = table_in(folder / "out/monitors/boundaries.csv");
            for (const auto& [column, watts] : {std::pair("inlet", q), std::pair("outlet", -q),
                                                std::pair("plate", q), std::pair("imbalance", 0.0)})
                EXPECT_NEAR(table.column(column).back().value_or(9), watts, 1e-9) << column << time;
        }
    const auto expect_refusal = [&](const std::string& resistance,
                                    const std::vector<std::string>& words) {
        for (const int ranks : {1, 3}) {
            const Outcome o = run(channel(false, true), heat,
                                  {"--set", "boundary.plate.resistance=" + resistance}, ranks);
            EXPECT_EQ(o.code, 2);
            for (const std::string& word : words)
                EXPECT_NE(o.err.find(word), o.err.npos) << word << o.err;
        }
    };
    expect_refusal("0", {"resistance must be positive, found 0", "the group needs no table"});
    expect_refusal("-1", {"resistance must be positive"});
    expect_refusal("\"y - 0.3\"", {"it must be positive"});
    expect_refusal("\"1 + t\"", {"may depend on x, y and z, not on t"});
    const Outcome outside =
        run(channel(false, true), heat + "[boundary.walls]\ntype = \"contact\"\nresistance = 1\n",
            {}, 3);
    EXPECT_EQ(outside.code, 2);
    EXPECT_NE(outside.err.find("cells on one side only"), outside.err.npos) << outside.err;
}

// The starter case has the plate's table as a remark, which works when it is taken out; `mesh info`
// tells of it.
TEST_F(Baffles, AreOffered) {
    for (const std::string physics : {"heat", "flow", "wave"}) {
        fs::remove(folder / "starter.toml");
        folder.write("mesh.msh", channel(false));
        ASSERT_EQ(run_program({"init", "mesh.msh", "-o", "starter.toml", "--physics", physics},
                              {.folder = folder.path})
                      .code,
                  0);
        std::string text = contents(folder / "starter.toml");
        const std::size_t begin = text.find("# [boundary.plate]"), end = text.find("\n\n", begin);
        ASSERT_NE(begin, text.npos) << text;
        std::string table = text.substr(begin, end - begin);
        for (std::size_t at = 0; at != table.npos; at = table.find("\n# ", at))
            table.erase(at == 0 ? 0 : at + 1, 2);
        text.replace(begin, end - begin, table);
        const Outcome o = run(channel(false), text, {"--set", "output.vtk=false"});
        EXPECT_EQ(o.code, 0) << o.err << table;
        EXPECT_NE(o.out.find("\"plate\": 4 faces inside the domain"), o.out.npos) << o.out << table;
    }
    EXPECT_NE(run_program({"mesh", "info", "mesh.msh"}, {.folder = folder.path})
                  .out.find("faces inside have no effect without a table"),
              std::string::npos);
}

// A wave case is slit where a table of the plate's own says so.
TEST_F(Baffles, OfWaves) {
    const std::string wave = R"toml(physics = "wave"
name = "case"
mesh.file = "mesh.msh"
wave.speed = 1
initial.displacement = "x < 0.6 ? cos(x*pi/1.2) : 0"
[boundary.default]
type = "free"
[boundary.plate]
type = "free"
[time]
end = 0.5
)toml";
    for (const int ranks : {1, 3}) {
        const Outcome o = run(channel(false), wave, {}, ranks);
        EXPECT_EQ(o.code, 0) << o.err;
        EXPECT_NE(o.out.find("\"plate\": 4 faces inside the domain"), o.out.npos) << o.out;
    }
}

}  // namespace
}  // namespace solenoid::test::end_to_end_baffles_test
