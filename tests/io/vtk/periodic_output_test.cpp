// Files of periodic meshes, cut through their seam.
#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <map>

#include "io/vtk/vtk_output.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/periodic_meshes.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::periodic_output_test {
namespace {

using test::closed;
using test::plain_box;

DistributedMesh cut(const Communicator& comm, const SimplexMesh& whole) {
    return distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
}

// A linear field cannot be periodic; one of the cells' own corners shows whether values went to the
// right points.
TEST(PeriodicOutput, VtkShowsTheUnfoldedMesh) {
    const auto comm = Communicator::world();
    for (int dimension : {2, 3}) {
        const ScratchFolder folder(comm);
        const SimplexMesh open = plain_box(dimension, dimension == 2 ? 800 : 3000);
        const DistributedMesh mesh = cut(comm, closed(open, dimension == 2 ? "xy" : "xyz"));
        std::vector<double> wave;
        for (const Vec3& x : mesh.mesh.points)
            wave.push_back(std::sin(2 * M_PI * x.x) + std::cos(2 * M_PI * x.y));
        ASSERT_EQ(VtkOutput(comm, SimplexTopology(mesh), folder.path(), "torus")
                      .write(0, 0, {{"wave", std::span<const double>(wave)}}),
                  "");
        if (!comm.is_root()) continue;
        vtkNew<vtkXMLPUnstructuredGridReader> reader;
        reader->SetFileName((folder.path() / "torus_000000.pvtu").c_str());
        reader->Update();
        vtkUnstructuredGrid* grid = reader->GetOutput();
        ASSERT_EQ(grid->GetNumberOfCells(), vtkIdType(open.cell_count()));
        double volume = 0, longest = 0;
        for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
            vtkCell* cell = grid->GetCell(c);
            Vec3 x[4];
            for (int j = 0; j <= dimension; ++j) cell->GetPoints()->GetPoint(j, &x[j].x);
            volume += dimension == 2
                          ? glm::cross(x[1] - x[0], x[2] - x[0]).z / 2
                          : glm::dot(glm::cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]) / 6;
            for (int j = 0; j < dimension; ++j)
                longest = std::max(longest, glm::distance(x[j], x[j + 1]));
        }
        EXPECT_NEAR(volume, 1, 1e-10);
        EXPECT_LT(longest, dimension == 2 ? 0.12 : 0.3);
        // Every point of the open mesh is owned by one piece; copies of a point agree.
        std::map<vtkIdType, Vec3> place;
        std::map<vtkIdType, int> owners;
        vtkDataArray* ids = grid->GetPointData()->GetGlobalIds();
        vtkDataArray* ghost = grid->GetPointData()->GetArray("vtkGhostType");
        vtkDataArray* values = grid->GetPointData()->GetArray("wave");
        for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
            Vec3 x;
            grid->GetPoint(i, &x.x);
            const auto id = static_cast<vtkIdType>(ids->GetTuple1(i));
            const auto [found, is_new] = place.emplace(id, x);
            EXPECT_EQ(found->second, x);
            owners[id] += ghost->GetTuple1(i) == 0;
            EXPECT_NEAR(values->GetTuple1(i), std::sin(2 * M_PI * x.x) + std::cos(2 * M_PI * x.y),
                        1e-12);
        }
        EXPECT_EQ(place.size(), open.points.size());
        for (const auto& [id, count] : owners) EXPECT_EQ(count, 1) << "point " << id;
    }
}

}  // namespace
}  // namespace solenoid::periodic_output_test
