// The grid of a case: where its nodes lie, what is land, and its files, read back by VTK.
#include "grid/run/grid_mesh.hpp"

#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkXMLPImageDataReader.h>
#include <vtkXMLPRectilinearGridReader.h>
#include <vtkXMLPStructuredGridReader.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "io/vtk/read_state.hpp"
#include "io/vtk/vtk_output.hpp"
#include "run/sampled_state.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::grid_mesh_test {
namespace {

namespace fs = std::filesystem;

const double pi = std::acos(-1.0);

GridSettings grid_of(int columns, int rows) {
    GridSettings settings;
    settings.columns = columns;
    settings.rows = rows;
    settings.place = "case.toml:3";
    return settings;
}
Formula formula(const std::string& text) { return {text, "case.toml:4"}; }

struct Sample {
    const char* name;
    GridSettings settings;
    const char* suffix;
    vtkIdType points, cells;  // in files, land too
    double area;              // of what is no land
};

std::vector<Sample> samples() {
    GridSettings plain = grid_of(9, 7);
    plain.low = {1, 2, 0};
    plain.high = {5, 3.5, 0};
    GridSettings turning = plain;
    turning.columns = 8;
    turning.is_periodic_x = true;
    GridSettings stretched = plain;
    stretched.maps = {{formula("x^2"), formula("exp(y)")}};
    GridSettings round = grid_of(24, 5);
    round.is_periodic_x = true;
    round.maps = {{formula("(1 + y)*cos(2*pi*x)"), formula("(1 + y)*sin(2*pi*x)")},
                  {formula("x"), formula("-y")}};  // one after the other
    GridSettings land = plain;                     // nodes (4, 3) and (5, 3): six cells
    land.land = formula("abs(x - 3.25) < 0.3 && abs(y - 2.75) < 0.1");
    return {{"plain", plain, ".pvti", 63, 48, 6},
            {"turning", turning, ".pvti", 63, 48, 6},
            {"stretched", stretched, ".pvtr", 63, 48, 24 * (std::exp(3.5) - std::exp(2))},
            {"round", round, ".pvts", 125, 96, 24 * std::sin(2 * pi / 24) / 2 * 3},
            {"land", land, ".pvti", 63, 48, 6 - 6 * 0.125}};
}

std::vector<GridBlock> cut(const GridSettings& settings, const Communicator& comm) {
    return usual_cut(extents_of(settings), comm.size());
}

template <class Reader>
vtkSmartPointer<vtkDataSet> read(const fs::path& file) {
    vtkNew<Reader> reader;
    reader->SetFileName(file.c_str());
    reader->Update();
    return vtkDataSet::SafeDownCast(reader->GetOutputDataObject(0));
}
vtkSmartPointer<vtkDataSet> read(const fs::path& file) {
    const std::string end = file.extension();
    return end == ".pvti"   ? read<vtkXMLPImageDataReader>(file)
           : end == ".pvtr" ? read<vtkXMLPRectilinearGridReader>(file)
                            : read<vtkXMLPStructuredGridReader>(file);
}

class GridMeshTest : public testing::TestWithParam<Sample> {
  protected:
    Communicator comm = Communicator::world();
    ScratchFolder scratch{comm};
};

// Written by all ranks and read by VTK: each cell is there once, values are those of places.
TEST_P(GridMeshTest, FilesHaveRowsAndColumns) {
    const Sample& sample = GetParam();
    const GridMesh mesh(comm, sample.settings, cut(sample.settings, comm));
    const GridTopology& grid = mesh.grid();
    std::vector<double> values, numbers;
    for (Index n = 0; n < grid.range(Kind::node).all; ++n)
        values.push_back(std::cos(grid.position(n).y));
    for (Index c = 0; c < grid.range(Kind::cell).owned; ++c)
        numbers.push_back(double(grid.cell_number(c)));
    VtkOutput output(comm, grid, scratch.path(), "grid");
    ASSERT_EQ(output.write(1.5, 2, {{"wave", std::span<const double>(values)}},
                           {{"number", std::span<const double>(numbers)}}),
              "");
    comm.barrier();
    const fs::path file = output.file_of(2);
    EXPECT_EQ(file.extension(), sample.suffix);
    const auto read_back = read(file);
    ASSERT_TRUE(read_back);
    ASSERT_EQ(read_back->GetNumberOfPoints(), sample.points);
    ASSERT_EQ(read_back->GetNumberOfCells(), sample.cells);
    vtkDataArray* hidden = read_back->GetCellData()->GetArray("vtkGhostType");
    double area = 0;
    GlobalIndex next = 0;
    for (vtkIdType c = 0; c < sample.cells; ++c) {
        if (hidden && hidden->GetComponent(c, 0) != 0) continue;
        // numbers go row by row, as the cells of VTK do
        EXPECT_EQ(read_back->GetCellData()->GetArray("number")->GetComponent(c, 0), double(next++));
        vtkCell* cell = read_back->GetCell(c);
        Vec3 x[4];
        for (int j = 0; j < 4; ++j) {
            cell->GetPoints()->GetPoint(j, &x[j].x);
            EXPECT_NEAR(
                read_back->GetPointData()->GetArray("wave")->GetComponent(cell->GetPointId(j), 0),
                std::cos(x[j].y), 1e-14);
        }
        if (cell->GetCellType() == VTK_PIXEL) std::swap(x[2], x[3]);
        area += 0.5 * glm::cross(x[2] - x[0], x[3] - x[1]).z;
    }
    EXPECT_NEAR(area, sample.area, 1e-12 * sample.area);
    EXPECT_EQ(next, grid.count(Kind::cell));
    double here = 0;
    for (Index c = 0; c < grid.range(Kind::cell).owned; ++c) here += grid.volume(c);
    EXPECT_NEAR(comm.sum(here), sample.area, 1e-12 * sample.area);

    const ReadState state = read_state(file);
    EXPECT_EQ(std::int64_t(state.cells.size()), grid.count(Kind::cell));
    // as the start of another run
    const SampledState start(read_grid(file), false);
    const ReadField* wave = start.find("wave", 1, false);
    ASSERT_TRUE(wave);
    for (Index c = 0; c < grid.range(Kind::cell).owned; ++c)
        for (int j = 0; j < 4; ++j)
            EXPECT_NEAR(start.value(*wave, nullptr, 0, grid.corner(c, j)),
                        std::cos(grid.corner(c, j).y), 1e-9);
    comm.barrier();
}

// A node is known by its place; its position goes on round a periodic direction.
TEST_P(GridMeshTest, NodesLieWhereTheCaseSaysSo) {
    const GridSettings& s = GetParam().settings;
    const GridMesh mesh(comm, s, cut(s, comm));
    const GridTopology& grid = mesh.grid();
    const double hx = (s.high.x - s.low.x) / (s.columns - !s.is_periodic_x),
                 hy = (s.high.y - s.low.y) / (s.rows - 1);
    for (Index n = 0; n < grid.range(Kind::node).all; ++n) {
        const auto place = grid.node_place(n);
        Vec3 expected(s.low.x + place.i * hx, s.low.y + place.j * hy, 0);
        for (const auto& map : s.maps) expected = Vec3(map[0](expected), map[1](expected), 0);
        EXPECT_LT(glm::distance(grid.position(n), expected), 1e-14 * (1 + glm::length(expected)));
        EXPECT_TRUE(mesh.is_node(place.i, place.j));
        if (!s.is_periodic_x) continue;
        const Vec3 on = mesh.position(place.i + s.columns, place.j),
                   back = mesh.position(place.i - s.columns, place.j);
        EXPECT_LT(glm::distance(on - grid.position(n), grid.position(n) - back), 1e-13);
        EXPECT_NEAR(glm::distance(on, grid.position(n)), s.maps.empty() ? s.high.x - s.low.x : 0,
                    1e-13);
    }
    int land = 0;
    for (int j = 0; j < s.rows; ++j)
        for (int i = 0; i < s.columns; ++i) land += !mesh.is_node(i, j);
    EXPECT_EQ(land, s.land ? 2 : 0);
}

INSTANTIATE_TEST_SUITE_P(Of, GridMeshTest, testing::ValuesIn(samples()),
                         [](const auto& info) { return std::string(info.param.name); });

// What a case may get wrong is told with its place, alike on all ranks.
TEST(GridMesh, RefusesWhatIsNoGrid) {
    const Communicator comm = Communicator::world();
    const auto message = [&](const GridSettings& settings) {
        try {
            const GridMesh mesh(comm, settings, cut(settings, comm));
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return std::string(error.what());
        }
        return std::string("no error");
    };
    GridSettings s = grid_of(9, 7);
    s.maps = {{formula("y"), formula("x")}};
    EXPECT_NE(message(s).find("case.toml:3: [grid]: the cell (0, 0) of the grid is folded"),
              std::string::npos)
        << message(s);
    s.maps = {{formula("x*(1 + y)"), formula("y")}};
    s.is_periodic_x = true;
    EXPECT_NE(message(s).find("case.toml:3: [grid]: periodic in x, but the sides there do not fit"),
              std::string::npos)
        << message(s);
    s.is_periodic_x = false;
    s.maps = {{formula("1/(x - 0.5)"), formula("y")}};
    EXPECT_NE(message(s).find("case.toml:4"), std::string::npos) << message(s);
    s.maps.clear();
    s.land = formula("1");
    EXPECT_NE(
        message(s).find("case.toml:3: [grid]: no cell is part of the grid: all of it is land"),
        std::string::npos)
        << message(s);
}

}  // namespace
}  // namespace solenoid::grid_mesh_test
