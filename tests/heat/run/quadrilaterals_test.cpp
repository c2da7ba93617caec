// A mesh of quadrilaterals that a physics might make: monitors, ranges, samples, files and a whole
// run with its checkpoint take it as it is. (Its surface: view/picture_test.)
#include "support/quadrilaterals.hpp"

#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>

#include <fstream>
#include <glm/geometric.hpp>

#include "case/physics.hpp"
#include "core/stop_signal.hpp"
#include "heat/case/heat_physics.hpp"
#include "io/checkpoint/checkpoint_folder.hpp"
#include "io/checkpoint/partition_array.hpp"
#include "io/monitors/monitors.hpp"
#include "io/vtk/read_state.hpp"
#include "io/vtk/vtk_output.hpp"
#include "run/driver.hpp"
#include "run/field_ranges.hpp"
#include "run/restart.hpp"
#include "run/sample_points.hpp"
#include "run/sampled_state.hpp"
#include "run/simulation.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::quadrilaterals_test {
namespace {

namespace fs = std::filesystem;
using test::Quadrilaterals;
using Form = Quadrilaterals::Form;

constexpr std::array forms{Form::straight, Form::distorted, Form::periodic};
constexpr int cells = Quadrilaterals::columns * Quadrilaterals::rows;

double linear(const Vec3& x) { return 1 + 2 * x.x - 3 * x.y; }
double bilinear(const Vec3& x) { return linear(x) + 4 * x.x * x.y; }

template <class Function>
std::vector<double> at_nodes(const Topology& topology, const Function& function) {
    std::vector<double> values;
    for (Index i = 0; i < topology.range(Kind::node).all; ++i)
        values.push_back(function(topology.position(i)));
    return values;
}

class QuadrilateralsTest : public testing::Test {
  protected:
    QuadrilateralsTest() { set_stop_patience(HUGE_VAL); }
    Communicator comm = Communicator::world();
    ScratchFolder scratch{comm};
};

std::vector<std::vector<double>> numbers_in(const fs::path& csv) {
    std::ifstream in(csv);
    std::string text;
    std::getline(in, text);
    std::vector<std::vector<double>> rows;
    while (std::getline(in, text)) {
        std::vector<double> row;
        std::istringstream cells(text);
        for (std::string cell; std::getline(cells, cell, ',');)
            row.push_back(cell.empty() ? NAN : std::stod(cell));
        rows.push_back(row);
    }
    return rows;
}

MonitorSettings placed(const std::string& name, const Vec3& from, const Vec3& to) {
    MonitorSettings settings;
    settings.type = from == to ? "point" : "line";
    settings.name = name;
    settings.from = from;
    settings.to = to;
    return settings;
}

// In every cell, at its corners and sides and within: the weights are those of the bilinear map.
TEST_F(QuadrilateralsTest, PointsAreLocatedByTheInverseMap) {
    const Communicator alone = Communicator::self();
    for (const Form form : forms) {
        const Quadrilaterals whole(alone, form), here(comm, form);
        std::vector<Vec3> points;
        for (Index c = 0; c < cells; ++c)
            for (const double s : {0.0, 0.2, 0.5, 1.0})
                for (const double t : {0.0, 0.3, 0.9, 1.0}) {
                    const auto x = [&](int j) { return whole.corner(c, j); };
                    points.push_back((1 - s) * (1 - t) * x(0) + s * (1 - t) * x(1) + s * t * x(2) +
                                     (1 - s) * t * x(3));
                }
        points.push_back({-1, 0.5, 0});
        points.push_back({1, 2.5, 0});
        const LocatedPoints located = locate(comm, here, points);
        EXPECT_EQ(std::ranges::count(located.found, 1), std::ssize(points) - 2);
        std::int64_t claimed = 0;
        for (const PointInCell& p : located.here) {
            Vec3 x(0);
            double sum = 0;
            for (int j = 0; j < 4; ++j) {
                x += p.weight[j] * here.corner(p.cell, j);
                sum += p.weight[j];
                EXPECT_GT(p.weight[j], -1e-9);
            }
            EXPECT_LT(glm::distance(x, points[p.point]), 1e-13);
            EXPECT_NEAR(sum, 1, 1e-14);
            // of a cell with this point within: the cell's own coordinates come back
            const int k = static_cast<int>(p.point) % 16, cell = static_cast<int>(p.point) / 16;
            if (k == 5 || k == 10) {
                EXPECT_EQ(here.cell_number(p.cell), cell);
                const double s = k == 5 ? 0.2 : 0.5, t = k == 5 ? 0.3 : 0.9;
                EXPECT_NEAR(p.weight[2], s * t, 1e-13);
                EXPECT_NEAR(p.weight[1], s * (1 - t), 1e-13);
            }
            ++claimed;
        }
        EXPECT_EQ(comm.sum(claimed), std::ssize(points) - 2);
    }
}

// Linear functions on any quadrilaterals, bilinear ones where sides are along x and y; fields that
// monitors interpolate by parabolas, too.
TEST_F(QuadrilateralsTest, LinesAndPointsAreExact) {
    for (const Form form : {Form::straight, Form::distorted}) {
        const Quadrilaterals mesh(comm, form);
        const auto function = form == Form::straight ? bilinear : linear;
        const auto values = at_nodes(mesh, function);
        const fs::path folder = scratch / std::to_string(int(form));
        if (comm.is_root()) fs::create_directories(folder);
        comm.barrier();
        Monitors monitors(comm, mesh,
                          {placed("line", {0.3, 0.2, 0}, {2.2, 1.7, 0}),
                           placed("point", {1.1, 0.9, 0}, {1.1, 0.9, 0})},
                          folder);
        monitors.record(0.5, {{"a", std::span<const double>(values)},
                              {"b", std::span<const double>(values), 1, true}});
        monitors.flush();
        if (!comm.is_root()) continue;
        const auto rows = numbers_in(folder / "line.csv");
        ASSERT_EQ(rows.size(), 101u);
        for (const auto& row : rows)
            for (const int column : {4, 5})
                EXPECT_NEAR(row.at(column), function({row[1], row[2], 0}), 1e-13);
        EXPECT_NEAR(numbers_in(folder / "point.csv").at(0).at(5), function({1.1, 0.9, 0}), 1e-13);
    }
}

// Read back by VTK: every cell is there once with its area, its number, its corners' values.
TEST_F(QuadrilateralsTest, FilesHaveQuadrilaterals) {
    for (const Form form : forms) {
        const Quadrilaterals mesh(comm, form);
        const auto values = at_nodes(mesh, [](const Vec3& x) { return std::cos(x.y); });
        std::vector<double> of_cells;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            of_cells.push_back(3.0 * double(mesh.cell_number(c)));
        const fs::path folder = scratch / ("vtk" + std::to_string(int(form)));
        if (comm.is_root()) fs::create_directories(folder);
        comm.barrier();
        VtkOutput output(comm, mesh, folder, "grid");
        ASSERT_EQ(output.write(1.5, 2, {{"wave", std::span<const double>(values)}},
                               {{"triple", std::span<const double>(of_cells)}}),
                  "");
        comm.barrier();
        vtkNew<vtkXMLPUnstructuredGridReader> reader;
        reader->SetFileName(output.file_of(2).c_str());
        reader->Update();
        vtkUnstructuredGrid* grid = reader->GetOutput();
        ASSERT_EQ(grid->GetNumberOfCells(), cells);
        double area = 0;
        std::set<GlobalIndex> numbers;
        for (vtkIdType c = 0; c < cells; ++c) {
            ASSERT_EQ(grid->GetCellType(c), VTK_QUAD);
            Vec3 x[4];
            for (int j = 0; j < 4; ++j) {
                grid->GetCell(c)->GetPoints()->GetPoint(j, &x[j].x);
                const double value = grid->GetPointData()->GetArray("wave")->GetComponent(
                    grid->GetCell(c)->GetPointId(j), 0);
                EXPECT_NEAR(value, std::cos(x[j].y), 1e-15);
            }
            area += 0.5 * glm::cross(x[2] - x[0], x[3] - x[1]).z;
            const auto number =
                static_cast<GlobalIndex>(grid->GetCellData()->GetGlobalIds()->GetComponent(c, 0));
            numbers.insert(number);
            EXPECT_EQ(grid->GetCellData()->GetArray("triple")->GetComponent(c, 0),
                      3.0 * double(number));
            EXPECT_EQ(grid->GetCellData()->GetArray("region")->GetComponent(c, 0), number >= 10);
        }
        EXPECT_EQ(numbers.size(), std::size_t{cells});
        double here = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c) here += mesh.volume(c);
        EXPECT_NEAR(area, comm.sum(here), 1e-13);
        if (form == Form::straight) {
            EXPECT_NEAR(area, 5, 1e-13);
        }
        // each point is one rank's own, also where a periodic node has two
        std::map<double, int> owners;
        for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
            owners[grid->GetPointData()->GetGlobalIds()->GetComponent(i, 0)] +=
                grid->GetPointData()->GetArray("vtkGhostType")->GetComponent(i, 0) == 0;
        EXPECT_EQ(owners.size(), 30u);
        for (const auto& [number, count] : owners) EXPECT_EQ(count, 1) << number;
        // as the start of another run: two triangles a cell
        const SampledState state(read_grid(output.file_of(2)), false);
        const ReadField* wave = state.find("wave", 1, false);
        ASSERT_TRUE(wave);
        EXPECT_NEAR(state.value(*wave, nullptr, 0, mesh.corner(0, 2)),
                    std::cos(mesh.corner(0, 2).y), 1e-13);
        EXPECT_FALSE(state.has({1, 2.6, 0}));
        comm.barrier();
    }
}

TEST_F(QuadrilateralsTest, RangesAndSamplesAreThoseOfOneRank) {
    const Communicator alone = Communicator::self();
    const Quadrilaterals whole(alone, Form::distorted), mesh(comm, Form::distorted);
    const auto of = [&](const Communicator& ranks, const Topology& topology) {
        const auto values = at_nodes(topology, linear);
        std::vector<double> areas;
        for (Index c = 0; c < topology.range(Kind::cell).all; ++c)
            areas.push_back(topology.volume(c));
        return field_ranges(ranks, topology, {{"T", std::span<const double>(values)}},
                            {{"area", std::span<const double>(areas)}}, 0);
    };
    const auto ranges = of(comm, mesh), expected = of(alone, whole);
    ASSERT_EQ(ranges.size(), 2u);
    for (int k = 0; k < 2; ++k) {
        EXPECT_EQ(ranges[k].low, expected[k].low);
        EXPECT_EQ(ranges[k].high, expected[k].high);
    }
    EXPECT_GT(ranges[1].low, 0);
    EXPECT_EQ(cell_samples(comm, mesh), cell_samples(alone, whole));
    EXPECT_EQ(cell_samples(comm, mesh, "low").size(), 10u);
    EXPECT_EQ(boundary_samples(comm, mesh, "north"), boundary_samples(alone, whole, "north"));
    EXPECT_EQ(boundary_samples(comm, mesh, "west").size(), 4u);
    EXPECT_EQ(mesh.hash(comm), whole.hash(alone));
}

// ---- a whole run

class QuadrilateralMesh final : public RunMesh {
  public:
    QuadrilateralMesh(const Communicator& comm, Form form) : topology_(comm, form) {}
    const Topology& topology() const override { return topology_; }
    MeshNames names(const Communicator&) const override {
        return {2, topology_.boundaries(), {}, topology_.regions()};
    }

  private:
    const Quadrilaterals topology_;
};

constexpr const char* text = R"(
physics = "heat"
name = "case"
[mesh.box]
cells = 2
dimension = 2
[material.default]
conductivity = 1
heat_capacity = 1
[boundary.default]
type = "insulated"
[time]
step = 0.25
end = 2
[initial]
temperature = 0
[output]
every = 4
[checkpoint]
every = 4
[average]
from = 0
to = 2
fields = ["temperature"]
[[monitor]]
type = "point"
name = "point"
at = [1.1, 0.9]
every = 1
[[monitor]]
type = "line"
name = "line"
from = [0.3, 0.2]
to = [2.2, 1.7]
[[picture]]
name = "picture"
width = 64
height = 64
mesh = true
)";

// The temperature at a place is t times a linear function.
class Puppet final : public Simulation {
  public:
    explicit Puppet(Run& run) {
        quantities_.add({.name = "temperature",
                         .unit = "K",
                         .help = "T",
                         .in_files = true,
                         .is_drawn = true,
                         .table_columns = {"temperature"}},
                        [this, &run] {
                            return at_nodes(run.topology(),
                                            [this](const Vec3& x) { return now * linear(x); });
                        });
        StateValues(own_).add("now", now);
    }
    StateRegistry& state() override { return own_; }
    double time() const override { return now; }
    void advance(double target) override { now = std::min(now + 0.25, target); }
    void set_clock(double time) override { now = time; }
    std::vector<SolveSummary> solves() const override { return {}; }
    void report(const Summary&) override {}

    double now = 0;

  private:
    StateRegistry own_;
};

class RunOnQuadrilaterals {
  public:
    RunOnQuadrilaterals(const Communicator& comm, const fs::path& folder, bool goes_on,
                        const std::vector<std::string>& overrides)
        : options(quiet()), run(comm, options) {
        run.text = CaseText{"case.toml", text};
        run.overrides = overrides;
        run.settings = read_case(run.text, {&heat}, overrides);
        run.folder = std::make_unique<OutputFolder>(
            comm, folder, "case", goes_on ? EarlierResults::continue_ : EarlierResults::refuse);
        run.mesh = std::make_unique<QuadrilateralMesh>(comm, Form::distorted);
        if (goes_on) {
            run.checkpoint = CheckpointFolder(comm, run.folder->checkpoints()).newest();
            check_mesh(run, run.topology());
        }
        run_simulation(run, [this] { return std::make_unique<Puppet>(run); });
    }
    static RunOptions quiet() {
        RunOptions options;
        options.quiet = true;
        return options;
    }
    const HeatPhysics heat;  // reads the case
    const RunOptions options;
    Run run;
};

// Its output, a checkpoint, and from this on: the same rows and averages as without a break.
TEST_F(QuadrilateralsTest, ARunTakesThemAndGoesOn) {
    const fs::path folder = scratch / "run";
    {
        const RunOnQuadrilaterals first(comm, folder, false, {"time.end=1"});
        EXPECT_EQ(first.run.summary.status, "done");
    }
    {
        const RunOnQuadrilaterals second(comm, folder, true, {});
        EXPECT_EQ(second.run.summary.status, "done");
        EXPECT_EQ(second.run.summary.steps, 8);
    }
    comm.barrier();
    const auto rows = numbers_in(folder / "monitors/point.csv");
    ASSERT_EQ(rows.size(), 9u);
    for (int i = 0; i <= 8; ++i) {
        EXPECT_NEAR(rows[i][0], 0.25 * i, 1e-14);
        EXPECT_NEAR(rows[i][4], 0.25 * i * linear({1.1, 0.9, 0}), 1e-13);
    }
    for (const auto& row : numbers_in(folder / "monitors/line.csv"))
        EXPECT_NEAR(row.at(4), 2 * linear({row[1], row[2], 0}), 1e-13);
    // sums by the numbers of nodes: the mean of t f over [0, 2] is f, t's deviation 1 / sqrt(3)
    const ReadState state = read_state(last_state_in(folder));
    ASSERT_EQ(state.points.size(), 30u);
    ASSERT_EQ(state.cells.size(), std::size_t{cells});
    const auto values = [&](const std::string& name) {
        return std::ranges::find(state.fields, name, &ReadField::name)->values;
    };
    const auto at = values("points"), mean = values("temperature_mean"),
               rms = values("temperature_rms");
    for (std::size_t i = 0; i < 30; ++i) {
        const double f = linear({at[i], at[30 + i], 0});
        EXPECT_NEAR(mean[i], f, 1e-13);
        EXPECT_NEAR(rms[i], std::abs(f) / std::sqrt(3.0), 1e-13);
    }
    // which rank had a cell
    const auto file = CheckpointFolder(comm, folder / "checkpoints").newest();
    ASSERT_TRUE(file);
    EXPECT_EQ(file->header().count, (std::array<std::int64_t, 4>{30, 0, 0, cells}));
    std::vector<GlobalIndex> all(comm.is_root() ? cells : 0);
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = static_cast<GlobalIndex>(c);
    const auto ranks = stored_partition(*file, all);
    for (std::size_t c = 0; c < ranks.size(); ++c)
        EXPECT_EQ(ranks[c], static_cast<int>(c) % 5 * comm.size() / 5);
}

}  // namespace
}  // namespace solenoid::quadrilaterals_test
