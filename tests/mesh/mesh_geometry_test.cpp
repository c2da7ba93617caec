// Volumes, centroids and area vectors against direct formulas and the divergence theorem.
#include <gtest/gtest.h>

#include <bit>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <map>

#include "mesh/geometry.hpp"
#include "mesh_fixtures.hpp"

namespace solenoid::test::mesh_geometry_test {
namespace {

std::vector<Vec3> corners(const Mesh& mesh, Index cell) {
    std::vector<Vec3> x;
    for (int j = 0; j <= mesh.dimension; ++j) x.push_back(mesh.points[mesh.cell_nodes(cell, j)]);
    return x;
}

TEST(Geometry, OneTetAndOneTriangle) {
    const Mesh tet = build(one_tet()), triangle = build(one_triangle());
    const Geometry solid = geometry(tet), flat = geometry(triangle);
    EXPECT_DOUBLE_EQ(solid.cell_volume[0], 1.0 / 6);
    EXPECT_EQ(solid.cell_centroid[0], Vec3(0.25));
    EXPECT_EQ(opposite_area(tet, 0, 0), Vec3(0.5));
    EXPECT_EQ(opposite_area(tet, 0, 1), Vec3(-0.5, 0, 0));
    EXPECT_EQ(opposite_area(tet, 0, 2), Vec3(0, -0.5, 0));
    EXPECT_EQ(opposite_area(tet, 0, 3), Vec3(0, 0, -0.5));
    EXPECT_DOUBLE_EQ(flat.cell_volume[0], 1);
    EXPECT_EQ(opposite_area(triangle, 0, 0), Vec3(1, 2, 0));
    EXPECT_EQ(opposite_area(triangle, 0, 1), Vec3(-1, 0, 0));
    EXPECT_EQ(opposite_area(triangle, 0, 2), Vec3(0, -2, 0));
}

TEST(Geometry, VolumesAreDeterminantsAndAreasCrossProducts) {
    for (auto& [name, simplex_mesh, euler] : all_meshes()) {
        SCOPED_TRACE(name);
        const Mesh mesh = build(simplex_mesh);
        const Geometry g = geometry(mesh);
        for (Index c = 0; c < mesh.cells(); ++c) {
            const auto x = corners(mesh, c);
            const Vec3 third = mesh.dimension == 3 ? x[3] - x[0] : Vec3(0, 0, 3);
            EXPECT_NEAR(g.cell_volume[c],
                        glm::determinant(glm::dmat3(x[1] - x[0], x[2] - x[0], third)) / 6, 1e-15);
            EXPECT_GT(g.cell_volume[c], 0);
            EXPECT_EQ(g.cell_volume[c], volume(mesh, c));
        }
        for (Index f = 0; f < mesh.faces(); ++f) {
            const auto x = [&](int j) { return mesh.points[mesh.face_nodes(f, j)]; };
            const Vec3 across = mesh.dimension == 3 ? 0.5 * (x(2) - x(1)) : Vec3(0, 0, 1);
            EXPECT_NEAR(glm::distance(g.face_area[f], glm::cross(x(1) - x(0), across)), 0, 1e-15);
        }
    }
}

// The sum over a cell's faces of v . S is V div v for a linear v, with v at the face's centroid.
TEST(Geometry, DivergenceTheoremForLinearFields) {
    for (auto& [name, simplex_mesh, euler] : all_meshes()) {
        SCOPED_TRACE(name);
        const Mesh mesh = build(simplex_mesh);
        const Geometry g = geometry(mesh);
        const glm::dmat3 gradient(1, 2, 3, -4, 5, 6, 7, -8, 9);
        const double divergence = 1 + 5 + (mesh.dimension == 3 ? 9 : 0);
        for (Index c = 0; c < mesh.cells(); ++c) {
            Vec3 closed(0);
            double outflow = 0;
            for (int j = 0; j <= mesh.dimension; ++j) {
                const Vec3 area = opposite_area(mesh, c, j);
                const Index face = entity_of(mesh.cell_faces(c, j));
                closed += area;
                outflow += glm::dot(gradient * g.face_centroid[face] + Vec3(1, 2, 3), area);
                EXPECT_GT(glm::dot(area, g.face_centroid[face] - g.cell_centroid[c]), 0)
                    << "outward";
            }
            EXPECT_NEAR(glm::length(closed), 0, 1e-14);
            EXPECT_NEAR(outflow, divergence * g.cell_volume[c], 1e-13);
        }
    }
}

// -S_j / (d V) is the gradient of the function that is 1 at node j and 0 at the others.
TEST(Geometry, OppositeAreasGiveShapeGradients) {
    for (const SimplexMesh& given : {tet_fan(5), annulus(7), box(3, 1000)}) {
        const Mesh mesh = build(given);
        for (Index c = 0; c < mesh.cells(); ++c) {
            const auto x = corners(mesh, c);
            for (int j = 0; j <= mesh.dimension; ++j) {
                const Vec3 gradient =
                    -opposite_area(mesh, c, j) / (mesh.dimension * volume(mesh, c));
                for (int k = 0; k <= mesh.dimension; ++k)
                    if (k != j) {
                        EXPECT_NEAR(glm::dot(gradient, x[j] - x[k]), 1, 1e-12);
                    }
            }
        }
    }
}

std::array<std::uint64_t, 3> bits(const Vec3& x) {
    return {std::bit_cast<std::uint64_t>(x.x), std::bit_cast<std::uint64_t>(x.y),
            std::bit_cast<std::uint64_t>(x.z)};
}

TEST(Geometry, BitsDoNotDependOnLocalNumbers) {
    for (int dimension : {2, 3}) {
        const SimplexMesh given = box(dimension, 2000);
        std::map<std::vector<GlobalIndex>, std::vector<std::array<std::uint64_t, 3>>> found[2];
        for (int i : {0, 1}) {
            const Mesh mesh = i ? build_mesh(shuffled(given, 5)) : build(given);
            const Geometry g = geometry(mesh);
            for (Index c = 0; c < mesh.cells(); ++c)
                found[i][name_of(mesh, Kind::cell, c)] = {bits(g.cell_centroid[c]),
                                                          bits(Vec3(g.cell_volume[c]))};
            for (Index f = 0; f < mesh.faces(); ++f)
                found[i][name_of(mesh, Kind::face, f)] = {bits(g.face_centroid[f]),
                                                          bits(g.face_area[f])};
        }
        EXPECT_EQ(found[0], found[1]);
    }
}

TEST(Quality, KnownShapes) {
    const SimplexMesh regular =
        simplices(3, {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {0, 1, 3, 2});
    const Quality tet = quality(regular);
    EXPECT_NEAR(tet.least, 1, 1e-14);
    EXPECT_NEAR(tet.mean, 1, 1e-14);
    EXPECT_NEAR(tet.smallest_volume, 8.0 / 3, 1e-14);
    EXPECT_NEAR(tet.shortest_edge, std::sqrt(8), 1e-14);
    const SimplexMesh equilateral =
        simplices(2, {{0, 0, 0}, {2, 0, 0}, {1, std::sqrt(3.0), 0}}, {0, 1, 2});
    EXPECT_NEAR(quality(equilateral).least, 1, 1e-14);
    EXPECT_NEAR(quality(equilateral).longest_edge, 2, 1e-14);
    // The corner of a cube: r = 1/(3 + sqrt 3), R = sqrt(3)/2.
    EXPECT_NEAR(quality(one_tet()).least, 3 / (3 + std::sqrt(3.0)) / (std::sqrt(3.0) / 2), 1e-14);
    // A right triangle, 3-4-5: r = 1, R = 2.5.
    EXPECT_NEAR(quality(simplices(2, {{0, 0, 0}, {4, 0, 0}, {0, 3, 0}}, {0, 1, 2})).least, 0.8,
                1e-14);
    const SimplexMesh flat =
        simplices(3, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {0, 1, 2, 3});
    EXPECT_EQ(quality(flat).least, 0);
}

}  // namespace
}  // namespace solenoid::test::mesh_geometry_test
