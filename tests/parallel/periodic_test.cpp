// Periodic meshes on several ranks: the cut runs through the seam.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "io/mesh/mesh_file.hpp"
#include "mesh/geometry.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/gmsh.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::periodic_test {
namespace {

using test::closed;
using test::plain_box;

DistributedMesh cut(const Communicator& comm, const SimplexMesh& whole) {
    return distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
}

TEST(PeriodicCut, ClosesOnAnyNumberOfRanks) {
    const auto comm = Communicator::world();
    std::vector<SimplexMesh> meshes{closed(plain_box(2, 600), "xy"),
                                    closed(plain_box(3, 3000), "xyz")};
    if (test::has_gmsh()) {
        meshes.push_back(closed(read_mesh(test::gmsh_mesh("periodic_square", 2, 0.1)), "yx"));
        meshes.push_back(closed(read_mesh(test::gmsh_mesh("periodic_cube", 3, 0.15)), "zxy"));
    }
    for (const SimplexMesh& whole : meshes) {
        const int dimension = whole.dimension;
        const DistributedMesh mesh = cut(comm, whole);
        const Geometry g = geometry(mesh.mesh);
        EXPECT_EQ(mesh.global_count[0], std::int64_t(whole.points.size()));
        EXPECT_EQ(mesh.global_count[2] * 2, (dimension + 1) * mesh.global_count[3]);
        EXPECT_EQ(mesh.components, 1u);
        double volume = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c) volume += g.cell_volume[c];
        EXPECT_NEAR(comm.sum(volume), 1, 1e-12);
        for (Index f = 0; f < mesh.range(Kind::face).shared; ++f) {
            ASSERT_NE(mesh.mesh.face_cells(f, 0), none);
            ASSERT_NE(mesh.mesh.face_cells(f, 1), none);
            const auto [a, b] = centroids_beside(mesh.mesh, g, f);
            EXPECT_LT(glm::distance(a, b), 0.3);
        }
        for (const PeriodicPair& pair : mesh.mesh.periodic_map.pairs) {
            Vec3 area(0);
            for (const Index face : section_faces(mesh.mesh, pair))
                if (entity_of(face) < mesh.range(Kind::face).owned)
                    area += double(orientation_of(face)) * g.face_area[entity_of(face)];
            for (int k = 0; k < 3; ++k) EXPECT_NEAR(comm.sum(area[k]), pair.offset[k], 1e-12);
        }
    }
}

}  // namespace
}  // namespace solenoid::periodic_test
