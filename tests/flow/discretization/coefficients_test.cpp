// A coefficient sampled on a mesh, where it jumps, and node values on the surface between two
// layers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/kinked_nodes.hpp"
#include "support/boundaries.hpp"
#include "support/domain_fields.hpp"
#include "support/layers.hpp"

namespace solenoid::coefficients_test {
namespace {

constexpr double upper = 0.01;  // the coefficient above y = 1/2; 1 below

// Two layers between walls, the mesh as the surface between them.
struct Layered {
    explicit Layered(int dimension)
        : comm(Communicator::world()),
          device(test::make_device("cpu")),
          mesh(distribute(comm, whole(dimension))),
          domain(comm, *device, mesh),
          boundaries(domain, {test::boundary("ymin", "wall"), test::boundary("far", "wall")}),
          stencil(domain, boundaries.faces()) {}
    std::optional<SimplexMesh> whole(int dimension) const {
        if (!comm.is_root()) return std::nullopt;
        return test::layered_box(dimension, dimension == 2 ? 300 : 800);
    }
    SampledCoefficient sampled(const std::string& formula, double time = 0) const {
        return sample_coefficient(domain, Formula(formula, "test"), time);
    }
    double height(Index cell) const { return domain.geometry.cell_centroid[cell].y; }
    // of a cell's corner farthest below or above
    double corner(Index cell, bool is_top) const {
        double y = mesh.mesh.corner(cell, 0).y;
        for (int j = 1; j <= mesh.mesh.dimension; ++j) {
            const double other = mesh.mesh.corner(cell, j).y;
            y = is_top ? std::max(y, other) : std::min(y, other);
        }
        return y;
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    FlowBoundaries boundaries;
    CellStencil<double> stencil;
};

class Coefficients : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Dimensions, Coefficients, testing::Values(2, 3));

// A cell's is the mean of its faces, whose centroids' mean is the cell's.
TEST_P(Coefficients, ThatAreLinearAreTheFormula) {
    const Layered l(GetParam());
    const auto k = l.sampled("1 + 2*y + t", 3);
    for (Index f = 0; f < l.mesh.mesh.faces(); ++f)
        EXPECT_NEAR(k.faces[f], 4 + 2 * l.domain.geometry.face_centroid[f].y, 1e-13);
    ASSERT_EQ(k.cells.size(), l.domain.cells.owned);
    for (Index c = 0; c < k.cells.size(); ++c) EXPECT_NEAR(k.cells[c], 4 + 2 * l.height(c), 1e-13);
    EXPECT_TRUE(k.jumps.empty());
    EXPECT_EQ(k.cells_cut, 0);
}

// A face between the layers conducts as both halves of the way between the cells in series.
TEST_P(Coefficients, JumpOnFacesBetweenLayers) {
    const Layered l(GetParam());
    const Mesh& m = l.mesh.mesh;
    const auto k = l.sampled("y >= 0.5 ? 0.01 : 1");
    EXPECT_EQ(k.cells_cut, 0);
    for (Index c = 0; c < k.cells.size(); ++c)
        EXPECT_NEAR(k.cells[c], l.height(c) > 0.5 ? upper : 1, 1e-14);
    double between = 0;
    for (Index f = 0; f < l.domain.faces.owned; ++f) {
        const auto jump = std::ranges::find(k.jumps, f, &SampledCoefficient::Jump::face);
        if (std::abs(l.domain.geometry.face_centroid[f].y - 0.5) > 1e-9) {
            EXPECT_TRUE(jump == k.jumps.end());
            EXPECT_NEAR(k.faces[f], l.domain.geometry.face_centroid[f].y > 0.5 ? upper : 1, 1e-14);
            continue;
        }
        ASSERT_TRUE(jump != k.jumps.end());
        double distances = 0, resistances = 0;
        for (const int i : {0, 1}) {
            const double y = l.height(m.face_cells(f, i)), distance = std::abs(y - 0.5),
                         value = y > 0.5 ? upper : 1;
            EXPECT_EQ(jump->beside[i], value);
            distances += distance;
            resistances += distance / value;
        }
        EXPECT_NEAR(k.faces[f], distances / resistances, 1e-13);
        ++between;
    }
    EXPECT_GT(l.comm.sum(between), 5);
}

// At heights where no faces lie: cells that it cuts near their centroid are told, and only cells
// that reach over it.
TEST_P(Coefficients, TellWhichCellsTheirJumpCuts) {
    const Layered l(GetParam());
    double in_the_middle = 0;
    for (const double height : {0.13, 0.22, 0.31, 0.38, 0.44}) {
        const auto k = l.sampled(fmt::format("y >= {} ? 2 : 1", height));
        double reach_over = 0, near = 0;
        for (Index c = 0; c < l.domain.cells.owned; ++c) {
            const double below = height - l.corner(c, false), above = l.corner(c, true) - height;
            const bool reaches = below > 0 && above > 0;
            reach_over += reaches;
            near += reaches && std::abs(l.height(c) - height) < 0.08 * (below + above);
        }
        EXPECT_LE(k.cells_cut, l.comm.sum(reach_over));
        EXPECT_GE(k.cells_cut, l.comm.sum(near));
        EXPECT_NEAR(k.cut_at.y, height, 0.25);
        in_the_middle += l.comm.sum(near);
    }
    EXPECT_GT(in_the_middle, 3);
}

TEST_P(Coefficients, MustNotBeNegative) {
    const Layered l(GetParam());
    EXPECT_THROW(l.sampled("y - 0.5"), AgreedError);
    EXPECT_THROW(l.sampled("1/(0*y)"), AgreedError);
}

class Kinks : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Dimensions, Kinks, testing::Values(2, 3));

// What conducts the same flux through both layers, u = y below and 1/2 + (y - 1/2) / upper above,
// is 1/2 on the surface. Nodes elsewhere stay as they are.
TEST_P(Kinks, HaveTheValueOfBothLayers) {
    const Layered l(GetParam());
    KinkedNodes<double> kinks(l.stencil);
    kinks.update_coefficient(l.sampled("y >= 0.5 ? 0.01 : 1"));
    const auto u = test::field_of<double>(l.domain, Kind::cell, 1, [&](Index c, int) {
        const double y = l.height(c);
        return y < 0.5 ? y : 0.5 + (y - 0.5) / upper;
    });
    auto at_nodes = l.domain.field<double>(Kind::node);
    at_nodes.upload(std::vector<double>(at_nodes.size(), -7.0));
    kinks.interpolate(u, at_nodes);
    const auto values = at_nodes.download();
    double on_surface = 0;
    for (Index i = 0; i < l.domain.nodes.owned; ++i) {
        const bool is_on = std::abs(l.mesh.mesh.points[i].y - 0.5) < 1e-9;
        EXPECT_NEAR(values[i], is_on ? 0.5 : -7, 1e-11);
        on_surface += is_on;
    }
    EXPECT_GT(l.comm.sum(on_surface), 5);
}

TEST_P(Kinks, PartTheCellsAtTheSurface) {
    const Layered l(GetParam());
    KinkedNodes<double> kinks(l.stencil);
    kinks.update_coefficient(l.sampled("1"));
    EXPECT_TRUE(kinks.parts().empty());
    const auto version = kinks.version();
    kinks.update_coefficient(l.sampled("y >= 0.5 ? 0.01 : 1"));
    EXPECT_GT(kinks.version(), version);
    ASSERT_EQ(kinks.parts().size(), l.mesh.mesh.cells());
    std::array<std::set<GlobalIndex>, 2> parts;  // below, above
    std::array<double, 2> least{1e15, 1e15};
    for (Index c = 0; c < l.mesh.mesh.cells(); ++c) {
        const int side = l.height(c) > 0.5;
        parts[side].insert(kinks.parts()[c]);
        least[side] = std::min(least[side], double(l.mesh.mesh.cell_number[c]));
    }
    l.comm.min(std::span<double>(least));
    for (const int side : {0, 1})
        for (const GlobalIndex part : parts[side]) EXPECT_EQ(double(part), least[side]);
}

}  // namespace
}  // namespace solenoid::coefficients_test
