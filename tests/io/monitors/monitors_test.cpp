// Lines and points through a linear field: exact inside, empty outside, the same on any number of
// ranks.
#include "io/monitors/monitors.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <glm/geometric.hpp>
#include <thread>

#include "core/error.hpp"
#include "io/files/unwritten.hpp"
#include "mesh/box.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::monitors_test {
namespace {

namespace fs = std::filesystem;

DistributedMesh box(const Communicator& comm, int dimension, std::size_t cells = 4000) {
    std::optional<SimplexMesh> mesh;
    if (comm.is_root())
        mesh = box_mesh({.dimension = dimension, .cells = cells, .high = {1, 1, dimension - 2}});
    return distribute(comm, std::move(mesh));
}

double linear(const Vec3& p) { return 1 + 2 * p.x - 3 * p.y + 4 * p.z; }

double quadratic(const Vec3& p) {
    return linear(p) + 2 * p.x * p.x - p.y * p.y + 3 * p.x * p.y + p.z * (p.x - p.y - 2 * p.z);
}

template <class Function>
std::vector<double> at_nodes(const Mesh& mesh, Function function) {
    std::vector<double> values;
    for (const Vec3& p : mesh.points) values.push_back(function(p));
    return values;
}

MonitorSettings line(const std::string& name, Vec3 from, Vec3 to, int points) {
    return {.type = "line",
            .name = name,
            .from = from,
            .to = to,
            .points = points,
            .place = "case.toml:7"};
}
MonitorSettings point(const std::string& name, Vec3 at) {
    return {
        .type = "point", .name = name, .from = at, .to = {}, .points = 1, .place = "case.toml:9"};
}

struct CsvTable {
    std::string header;
    std::vector<std::vector<std::string>> rows;

    explicit CsvTable(const fs::path& file) {
        std::ifstream in(file);
        EXPECT_TRUE(in) << file;
        std::getline(in, header);
        for (std::string text; std::getline(in, text);) {
            std::vector<std::string> row{""};
            for (const char c : text)
                if (c == ',')
                    row.emplace_back();
                else
                    row.back() += c;
            rows.push_back(row);
        }
    }
    double number(std::size_t i, std::size_t j) const { return std::stod(rows.at(i).at(j)); }
    Vec3 position(std::size_t i) const { return {number(i, 1), number(i, 2), number(i, 3)}; }
};

void expect_linear(const CsvTable& table, std::size_t row) {
    ASSERT_FALSE(table.rows.at(row).at(4).empty()) << "row " << row;
    EXPECT_NEAR(table.number(row, 4), linear(table.position(row)), 1e-12) << "row " << row;
}

class MonitorsTest : public testing::TestWithParam<int> {
  protected:
    Communicator comm = Communicator::world();
    ScratchFolder scratch{comm};
    DistributedMesh distributed = box(comm, GetParam());
    SimplexTopology topology{distributed};
    std::vector<double> values = at_nodes(distributed.mesh, linear);

    double top() const { return GetParam() - 2; }
    std::vector<NodeField> fields() const { return {{"temperature", std::span(values)}}; }
    void record(const std::vector<MonitorSettings>& settings) {
        Monitors monitors(comm, topology, settings, scratch.path());
        monitors.record(0, fields());
        monitors.flush();
    }
};
INSTANTIATE_TEST_SUITE_P(Dimensions, MonitorsTest, testing::Values(2, 3));

TEST_P(MonitorsTest, ALineThroughALinearFieldIsExact) {
    const Vec3 from{0, 0.1, 0}, to{1, 0.9, top()};
    record({line("diagonal", from, to, 101)});
    if (!comm.is_root()) return;
    const CsvTable table(scratch / "diagonal.csv");
    EXPECT_EQ(table.header, "s,x,y,z,temperature");
    ASSERT_EQ(table.rows.size(), 101u);
    for (std::size_t i = 0; i < 101; ++i) {
        expect_linear(table, i);
        EXPECT_NEAR(table.number(i, 0), glm::length(to - from) * i / 100, 1e-14);
        EXPECT_LT(glm::length(table.position(i) - (from + (to - from) * (i / 100.0))), 1e-14);
    }
    EXPECT_EQ(table.position(0), from);
    EXPECT_EQ(table.position(100), to);
}

TEST_P(MonitorsTest, TheBoundaryCountsAsInside) {
    const double off = 1e-10;
    record({line("edge", {0, 0, 0}, {1, 0, 0}, 51),
            line("side", {1 + off, 0, top()}, {1 + off, 1, top()}, 51),
            line("corner", {0, 0, 0}, {1, 1, top()}, 2)});
    if (!comm.is_root()) return;
    for (const auto* name : {"edge.csv", "side.csv", "corner.csv"}) {
        const CsvTable table(scratch / name);
        for (std::size_t i = 0; i < table.rows.size(); ++i) expect_linear(table, i);
    }
}

TEST_P(MonitorsTest, ValuesOutsideAreEmpty) {
    record({line("through", {-1, 0.5, 0}, {2, 0.5, 0}, 31), point("outside", {0.5, 1 + 1e-6, 0}),
            point("above", {0.5, 0.5, top() + 0.1})});
    if (!comm.is_root()) return;
    const CsvTable through(scratch / "through.csv");
    ASSERT_EQ(through.rows.size(), 31u);
    for (std::size_t i = 0; i < 31; ++i)
        if (i >= 10 && i <= 20)
            expect_linear(through, i);
        else
            EXPECT_EQ(through.rows[i].at(4), "");
    EXPECT_EQ(CsvTable(scratch / "outside.csv").rows.at(0).at(4), "");
    EXPECT_EQ(CsvTable(scratch / "above.csv").rows.at(0).at(4), "");
}

// Nodes on the partition's border lie in cells of several ranks.
TEST_P(MonitorsTest, PointsBetweenRanksAreClaimedOnce) {
    const Mesh& mesh = distributed.mesh;
    std::vector<Vec3> points;
    const auto self = Communicator::self();
    const DistributedMesh all = box(self, GetParam());
    const SimplexTopology of_all(all);
    for (const Vec3& p : all.mesh.points) points.push_back(p);
    const auto located = locate(comm, topology, points);
    EXPECT_EQ(comm.sum(std::int64_t(located.here.size())), std::int64_t(points.size()));
    const auto alone = locate(self, of_all, points);
    ASSERT_EQ(alone.here.size(), points.size());
    for (const auto& [i, cell, weight] : located.here) {
        EXPECT_EQ(mesh.cell_number[cell], all.mesh.cell_number[alone.here[i].cell]);
        EXPECT_EQ(weight, alone.here[i].weight);
        Vec3 position{0};
        for (int j = 0; j <= mesh.dimension; ++j)
            position += weight[j] * mesh.points[mesh.cell_nodes(cell, j)];
        EXPECT_LT(glm::length(position - points[i]), 1e-14);
    }
}

TEST_P(MonitorsTest, TheFilesDoNotDependOnTheRanks) {
    const std::vector<MonitorSettings> settings{line("a", {0, 0, 0}, {1, 1, top()}, 201),
                                                line("b", {0.5, 0, 0}, {0.5, 1, 0}, 77),
                                                point("c", {0.3, 0.2, 0})};
    record(settings);
    if (!comm.is_root()) return;
    const auto self = Communicator::self();
    const DistributedMesh all = box(self, GetParam());
    const SimplexTopology of_all(all);
    const auto whole = at_nodes(all.mesh, linear);
    Monitors alone(self, of_all, settings, scratch / "alone");
    alone.record(0, {{"temperature", std::span(whole)}});
    alone.flush();
    for (const auto* name : {"a.csv", "b.csv", "c.csv"})
        EXPECT_EQ(text_of(scratch / name), text_of(scratch / (std::string("alone/") + name)))
            << name;
}

// ---- fields that are parabolic between nodes

TEST_P(MonitorsTest, AParabolaIsExactInside) {
    const auto parabola = at_nodes(distributed.mesh, quadratic);
    Monitors(comm, topology,
             {line("inside", {0.2, 0.3, 0.4 * top()}, {0.8, 0.7, 0.6 * top()}, 101)},
             scratch.path())
        .record(0, {{"linear", std::span(parabola)}, {"parabolic", std::span(parabola), 1, true}});
    comm.barrier();
    if (!comm.is_root()) return;
    const CsvTable table(scratch / "inside.csv");
    double largest = 0;
    for (std::size_t i = 0; i < 101; ++i) {
        EXPECT_NEAR(table.number(i, 5), quadratic(table.position(i)), 1e-11);
        largest = std::max(largest, std::abs(table.number(i, 4) - quadratic(table.position(i))));
    }
    EXPECT_GT(largest, 1e-4);
}

// From wall to wall, where the profile rests: the cells at the walls, too.
TEST_P(MonitorsTest, AProfileBetweenWallsIsExact) {
    const auto profile = [](const Vec3& p) { return p.y * (1 - p.y); };
    const auto values = at_nodes(distributed.mesh, profile);
    Monitors(comm, topology, {line("across", {0.5, 0, 0.5 * top()}, {0.5, 1, 0.5 * top()}, 101)},
             scratch.path())
        .record(0, {{"u", std::span(values), 1, true}});
    comm.barrier();
    if (!comm.is_root()) return;
    const CsvTable table(scratch / "across.csv");
    for (std::size_t i = 0; i < 101; ++i)
        EXPECT_NEAR(table.number(i, 4), profile(table.position(i)), 1e-12);
}

// Whatever is inside: a boundary value is what it is given as.
TEST_P(MonitorsTest, AlongTheBoundaryAParabolicFieldIsLinear) {
    const auto rough = at_nodes(distributed.mesh, [](const Vec3& p) {
        return std::sin(50 * p.x) * std::cos(70 * p.y) + std::sin(90 * p.z);
    });
    Monitors(comm, topology,
             {line("edge", {0, 0, 0}, {1, 0, 0}, 201),
              line("face", {0.1, 0.9, top()}, {1, 0, top()}, 201)},
             scratch.path())
        .record(0, {{"linear", std::span(rough)}, {"parabolic", std::span(rough), 1, true}});
    comm.barrier();
    if (!comm.is_root()) return;
    const CsvTable edge(scratch / "edge.csv"), face(scratch / "face.csv");
    for (std::size_t i = 0; i < 201; ++i) EXPECT_NEAR(edge.number(i, 4), edge.number(i, 5), 1e-13);
    for (std::size_t i = 0; i < 201 && GetParam() == 3; ++i)
        EXPECT_NEAR(face.number(i, 4), face.number(i, 5), 1e-13);
}

// What lies in another region may be anything.
TEST_P(MonitorsTest, AParabolaEndsWithItsRegion) {
    Mesh& mesh = distributed.mesh;
    std::vector<double> values(mesh.nodes(), 1e3);
    for (Index c = 0; c < mesh.cells(); ++c) {
        double x = 0;
        for (int j = 0; j <= mesh.dimension; ++j)
            x += mesh.points[mesh.cell_nodes(c, j)].x / (mesh.dimension + 1);
        mesh.cell_region[c] = x > 0.6;
        if (x > 0.6) continue;
        for (int j = 0; j <= mesh.dimension; ++j)
            values[mesh.cell_nodes(c, j)] = quadratic(mesh.points[mesh.cell_nodes(c, j)]);
    }
    Monitors(comm, topology,
             {line("beside", {0.55, 0.2, 0.4 * top()}, {0.55, 0.8, 0.6 * top()}, 101)},
             scratch.path())
        .record(0, {{"parabolic", std::span(values), 1, true}});
    comm.barrier();
    if (!comm.is_root()) return;
    const CsvTable table(scratch / "beside.csv");
    for (std::size_t i = 0; i < 101; ++i)
        EXPECT_NEAR(table.number(i, 4), quadratic(table.position(i)), 1e-11);
}

TEST_P(MonitorsTest, ParabolasDoNotDependOnTheRanks) {
    const auto wave = [](const Vec3& p) {
        return std::sin(7 * p.x) * std::cos(5 * p.y) + std::sin(6 * p.z);
    };
    const std::vector<MonitorSettings> settings{line("a", {0, 0, 0}, {1, 1, top()}, 201),
                                                line("b", {0.5, 0, 0}, {0.5, 1, 0}, 77)};
    const auto here = at_nodes(distributed.mesh, wave);
    Monitors(comm, topology, settings, scratch.path())
        .record(0, {{"wave", std::span(here), 1, true}});
    comm.barrier();
    if (!comm.is_root()) return;
    const auto self = Communicator::self();
    const DistributedMesh all = box(self, GetParam());
    const SimplexTopology of_all(all);
    const auto whole = at_nodes(all.mesh, wave);
    Monitors(self, of_all, settings, scratch / "alone")
        .record(0, {{"wave", std::span(whole), 1, true}});
    for (const auto* name : {"a.csv", "b.csv"})
        EXPECT_EQ(text_of(scratch / name), text_of(scratch / (std::string("alone/") + name)))
            << name;
}

TEST_P(MonitorsTest, APointHasARowATime) {
    Monitors monitors(comm, topology,
                      {point("probe", {0.25, 0.75, 0}), line("last", {0, 0, 0}, {1, 0, 0}, 3)},
                      scratch.path());
    for (int n = 0; n < 3; ++n) {
        monitors.record(0.1 * n, fields());
        for (double& v : values) v *= 2;
    }
    monitors.flush();
    if (!comm.is_root()) return;
    const CsvTable probe(scratch / "probe.csv");
    EXPECT_EQ(probe.header, "time,x,y,z,temperature");
    ASSERT_EQ(probe.rows.size(), 3u);
    const CsvTable last(scratch / "last.csv");
    ASSERT_EQ(last.rows.size(), 3u);
    for (int n = 0; n < 3; ++n) {
        EXPECT_EQ(probe.number(n, 0), 0.1 * n);
        EXPECT_NEAR(probe.number(n, 4), linear({0.25, 0.75, 0}) * (1 << n), 1e-12);
        EXPECT_NEAR(last.number(n, 4), 4 * linear({0.5 * n, 0, 0}), 1e-12);
    }
}

TEST_P(MonitorsTest, SeveralFieldsAndComponents) {
    const Mesh& mesh = distributed.mesh;
    std::vector<float> position(3 * mesh.nodes());
    for (int k = 0; k < 3; ++k)
        for (Index i = 0; i < mesh.nodes(); ++i)
            position[k * mesh.nodes() + i] = float(mesh.points[i][k]);
    Monitors monitors(comm, topology, {line("l", {0, 0, 0}, {1, 1, 0}, 11)}, scratch.path());
    monitors.record(0, {{"temperature", std::span(values)}, {"position", std::span(position), 3}});
    if (!comm.is_root()) return;
    const CsvTable table(scratch / "l.csv");
    EXPECT_EQ(table.header, "s,x,y,z,temperature,position_x,position_y,position_z");
    for (std::size_t i = 0; i < 11; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(table.number(i, 5 + k), table.number(i, 1 + k), 1e-6);
}

TEST_P(MonitorsTest, ValuesThatAreNotFiniteAreAnErrorOnEveryRank) {
    Monitors monitors(comm, topology, {line("l", {0, 0, 0}, {1, 1, 0}, 11)}, scratch.path());
    monitors.record(0, fields());
    comm.barrier();
    const std::string before = text_of(scratch / "l.csv");
    for (double& v : values) v = std::nan("");
    EXPECT_THROW(monitors.record(1, fields()), Error);
    EXPECT_EQ(text_of(scratch / "l.csv"), before);
}

TEST_P(MonitorsTest, NamesAreChecked) {
    for (const auto& settings :
         {std::vector{point("a", {}), point("a", {})}, std::vector{point("boundaries", {})},
          std::vector{point("a/b", {})}, std::vector{point("", {})}}) {
        try {
            const Monitors refused(comm, topology, settings, scratch.path());
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_EQ(std::string(error.what()).find("case.toml:9: "), 0u) << error.what();
        }
    }
}

TEST(CsvSeries, GrowsByWholeLines) {
    const auto comm = Communicator::world();
    const ScratchFolder scratch(comm);
    CsvSeries series(comm, scratch / "monitors/boundaries.csv",
                     {"time", "inflow, left", "say \"hot\""});
    series.append({0.1, 1.0 / 3, std::nullopt});
    series.append({1e-300, -0.0, 12345678901234567.0});
    EXPECT_THROW(series.append({1.0, std::nan(""), 2.0}), Error);
    EXPECT_THROW(series.append({1.0}), Error);
    series.flush();
    EXPECT_EQ(text_of(scratch / "monitors/boundaries.csv"),
              "time,\"inflow, left\",\"say \"\"hot\"\"\"\n"
              "0.1,0.3333333333333333,\n"
              "1e-300,-0,1.2345678901234568e+16\n");
}

TEST(CsvSeries, WritesRowsAfterASecondAndKeepsThoseThatCannotBeWritten) {
    const auto comm = Communicator::world();
    const ScratchFolder scratch(comm);
    const fs::path file = scratch / "monitors/t.csv";
    CsvSeries series(comm, file, {"time"});
    series.append({1.0});
    comm.barrier();
    EXPECT_FALSE(fs::exists(file));
    comm.barrier();
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    series.append({2.0});
    comm.barrier();
    EXPECT_EQ(text_of(file), "time\n1\n2\n");
    comm.barrier();
    if (comm.is_root()) fs::rename(file, scratch / "monitors/gone.csv");
    series.append({3.0});
    series.flush();
    EXPECT_EQ(unwritten().size(), comm.is_root() ? 1u : 0u);
    if (comm.is_root()) fs::rename(scratch / "monitors/gone.csv", file);
    series.flush();
    EXPECT_TRUE(unwritten().empty());
    EXPECT_EQ(text_of(file), "time\n1\n2\n3\n");  // nothing is lost, and nothing twice
}

}  // namespace
}  // namespace solenoid::monitors_test
