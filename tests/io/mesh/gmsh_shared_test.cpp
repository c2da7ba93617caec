// Meshes that other programs wrote: read with their counts, or refused with the reason.
#include <cstdlib>

#include "support/gmsh_samples.hpp"

namespace solenoid::test::gmsh_shared_test {
namespace {

// The folder meshes/ in $SOLENOID_SHARED, or in shared/ beside the sources.
std::filesystem::path shared_meshes() {
    const char* shared = std::getenv("SOLENOID_SHARED");
    return (shared ? std::filesystem::path(shared)
                   : std::filesystem::path(SOLENOID_SOURCE_DIR) / ".." / "shared") /
           "meshes";
}

class SharedMeshes : public testing::Test {
  protected:
    void SetUp() override {
        if (!std::filesystem::is_directory(shared_meshes()))
            GTEST_SKIP() << "there is no " << shared_meshes();
    }
    static void expect(const std::string& name, int dimension, std::size_t cells, std::size_t sides,
                       std::size_t nodes, std::size_t groups) {
        SCOPED_TRACE(name);
        const SimplexMesh mesh = read_mesh(shared_meshes() / name);
        EXPECT_EQ(mesh.dimension, dimension);
        EXPECT_EQ(mesh.cell_count(), cells);
        EXPECT_EQ(mesh.side_count(), sides);
        EXPECT_EQ(mesh.points.size(), nodes);
        EXPECT_EQ(mesh.boundaries.size() + mesh.regions.size(), groups);
    }
    static void expect_refusal(const std::string& name, const std::string& part) {
        try {
            read_mesh(shared_meshes() / name);
            ADD_FAILURE() << name << " was read";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    }
};

TEST_F(SharedMeshes, AreRead) {
    expect("skfem_box_tet_v22.msh", 3, 1105, 312, 358, 4);
    expect("skfem_cuubat_tet_v41.msh", 3, 1391, 132, 419, 3);
    expect("skfem_annulus_tri_v41.msh", 2, 98, 22, 60, 3);
    expect("skfem_cylinder_stokes_v41_binary.msh", 2, 293, 0, 171, 1);
}

TEST_F(SharedMeshes, AreRefused) {
    expect_refusal("skfem_mixedtriquad_v41.msh", ":175: element 39 is a quadrilateral");
    expect_refusal("skfem_quadratic_sphere_tet10_v41.msh",
                   "of order 2; solenoid needs straight ones");
    expect_refusal("ngsolve_cube_12tet.vol", "this is a Netgen mesh");
    expect_refusal("netgen_pymesh_tet.vol", "this is a Netgen mesh");
    expect_refusal("su2_naca0012_inv_tri.su2", "this is an SU2 mesh");
    expect_refusal("mfem_beam-tet.vtk", "this is a VTK file");
    expect_refusal("dolfinx_create_unit_cube_tetra.xdmf", "this is an XDMF file");
}

}  // namespace
}  // namespace solenoid::test::gmsh_shared_test
