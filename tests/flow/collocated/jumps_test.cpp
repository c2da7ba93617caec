// Where a coefficient jumps: seen on faces, however their surface is bent, told of inside cells,
// and not seen in what is steep; answers that do not depend on ranks.
#include <gtest/gtest.h>

#include <cmath>

#include "flow/discretization/sampled_coefficient.hpp"
#include "support/layers.hpp"

namespace solenoid::jumps_test {
namespace {

using test::Layers;

struct Sampled {
    Sampled(const SimplexMesh& whole, const std::string& formula)
        : comm(Communicator::world()),
          device(test::make_device("cpu")),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh),
          nu(sample_coefficient(domain, Formula(formula, "test"), 0.5)) {}
    double jumps() const {
        double own = 0;
        for (const auto& jump : nu.jumps) own += jump.face < domain.faces.owned;
        return comm.sum(own);
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    SampledCoefficient nu;
};

TEST(Jumps, OnFacesAreLayersInSeries) {
    const SimplexMesh mesh = test::layered_box(2, 300);
    // Which of both layers has the faces themselves does not matter.
    for (const char* formula :
         {"y < 0.5 ? 1 : 0.01", "y <= 0.5 ? 1 : 0.01", "y < 0.5 - 1e-9 ? 1 : 0.01"}) {
        const Sampled s(mesh, formula);
        EXPECT_EQ(s.nu.cells_cut, 0) << formula;
        EXPECT_GT(s.jumps(), 5);
        const Mesh& m = s.mesh.mesh;
        for (Index c = 0; c < s.domain.cells.owned; ++c)
            EXPECT_NEAR(s.nu.cells[c], s.domain.geometry.cell_centroid[c].y < 0.5 ? 1 : 0.01,
                        1e-15);
        for (Index f = 0; f < s.domain.faces.shared; ++f) {
            const double y = s.domain.geometry.face_centroid[f].y;
            if (std::abs(y - 0.5) > 1e-9) {
                EXPECT_EQ(s.nu.faces[f], y < 0.5 ? 1 : 0.01);
                continue;
            }
            // The mirror image: both cells as far from the face.
            EXPECT_NEAR(s.nu.faces[f], 2 / (1 + 1 / 0.01), 1e-12);
            EXPECT_NE(m.face_cells(f, 0), none);
        }
    }
}

TEST(Jumps, OnBoundariesAreOfTheFluid) {
    const Sampled s(test::layered_box(2, 300), "y > 0 && y < 1 ? 1 : 0.01");
    EXPECT_EQ(s.nu.cells_cut, 0);
    EXPECT_EQ(s.jumps(), 0);
    for (Index f = 0; f < s.domain.faces.shared; ++f) EXPECT_EQ(s.nu.faces[f], 1);
}

TEST(Jumps, InsideCellsAreCounted) {
    const SimplexMesh mesh = test::layered_box(2, 300);
    const Sampled s(mesh, "abs(x - 0.5) > 0.1377 ? 1 : 0.01");  // of the period
    // cells that it cuts, and those of which it cuts off more than a corner
    double straddle = 0, deep = 0;
    for (Index c = 0; c < s.domain.cells.owned; ++c)
        for (const double at : {0.5 - 0.1377, 0.5 + 0.1377}) {
            double least = HUGE_VAL, greatest = -HUGE_VAL,
                   middle = s.domain.geometry.cell_centroid[c].x;
            for (int j = 0; j < 3; ++j) {
                least = std::min(least, s.mesh.mesh.corner(c, j).x);
                greatest = std::max(greatest, s.mesh.mesh.corner(c, j).x);
            }
            straddle += least < at && greatest > at;
            deep += middle + 0.7 * (least - middle) < at && middle + 0.7 * (greatest - middle) > at;
        }
    EXPECT_LE(s.nu.cells_cut, s.comm.sum(straddle));
    EXPECT_GE(s.nu.cells_cut, s.comm.sum(deep));
    EXPECT_NEAR(std::abs(s.nu.cut_at.x - 0.5), 0.1377, 0.1);
}

// At faces what the formula says there, to the bit.
TEST(Jumps, AreNotWhatIsSteep) {
    for (const char* formula : {"exp(10*(x + y))", "1 + 0.9*tanh(200*(y - 0.5))",
                                "0.05*(1 + 0.8*sin(3*x + 2*y + 4*t))", "x^2"}) {
        const Sampled s(test::plain_box(2, 300), formula);
        EXPECT_EQ(s.jumps(), 0) << formula;
        EXPECT_EQ(s.nu.cells_cut, 0) << formula;
        for (Index f = 0; f < s.domain.faces.shared; ++f)
            EXPECT_EQ(s.nu.faces[f],
                      Formula(formula, "test")(s.domain.geometry.face_centroid[f], 0.5));
    }
}

// A velocity that is linear in each layer is exact, and so is a scalar: two walls that slide, two
// temperatures.
TEST(Jumps, KeepWhatIsLinearInLayers) {
    const double angle = 0.4, ratio = 0.02, at_surface = 1e-6 * ratio / (1 + ratio);
    const Layers layers{ratio, 0, angle};
    const std::string y = layers.height();
    const std::string u =
        fmt::format("({} ? {:.17g} + (1e-6 - {:.17g})*2*({} - 0.5) : {:.17g}*2*{})", layers.upper(),
                    at_surface, at_surface, y, at_surface, y);
    const VectorFormula exact =
        test::vector_formula({fmt::format("{:.17g}*{}", std::cos(angle), u),
                              fmt::format("{:.17g}*{}", std::sin(angle), u)});
    const SimplexMesh mesh = test::layered_box(2, 300, angle);
    const VectorFormula slides =
        test::vector_formula({fmt::format("{:.17g}", 1e-6 * std::cos(angle)),
                              fmt::format("{:.17g}", 1e-6 * std::sin(angle))});
    test::Flow<> flow(mesh, layers.viscosity(),
                      {test::boundary("ymin", "wall"), test::boundary("far", "wall", slides)},
                      exact);
    flow.run(5, 1);
    EXPECT_LT(flow.error(exact), 1e-8);
    EXPECT_LT(flow.node_error(exact), 1e-8);
    const double stress = 1e-6 / (0.5 + 0.5 / ratio);
    const BoundaryForce floor = flow.force_on("ymin");
    EXPECT_NEAR(floor.friction.x * std::cos(angle) + floor.friction.y * std::sin(angle), stress,
                1e-8 * stress);
    EXPECT_NEAR(floor.weak.x * std::cos(angle) + floor.weak.y * std::sin(angle), stress,
                1e-7 * stress);
}

TEST(Jumps, DoNotDependOnRanksOrDevices) {
    for (const int dimension : {2, 3}) {
        const Layers layers{0.01, 1e-3};
        const SimplexMesh mesh = test::layered_box(dimension, dimension == 2 ? 100 : 600);
        FlowSettings settings;
        settings.body_force = layers.body_force();
        const auto run = [&](auto real, const Communicator& comm, const std::string& device) {
            FlowSolvers solvers;
            solvers.stream_function.tolerance = solvers.momentum.tolerance =
                sizeof(real) == 8 ? 1e-12 : 1e-5;
            test::Flow<decltype(real)> flow(
                mesh, layers.viscosity(),
                {test::boundary("ymin", "wall"), test::boundary("far", "wall")},
                test::vector_formula({"0", "0", "0"}), solvers, device, settings, comm);
            flow.run(3, 0.02);
            return std::pair(flow.velocities(), flow.force_on("ymin").weak.x);
        };
        const auto expected = run(double(), Communicator::self(), "cpu");
        for (const std::string& device : dimension == 2
                                             ? test::devices_on(Communicator::world().size())
                                             : std::vector<std::string>{"cpu"}) {
            const auto doubles = run(double(), Communicator::world(), device);
            const auto floats = run(float(), Communicator::world(), device);
            EXPECT_LT(test::root_mean_square(doubles.first, expected.first), 1e-9 * 1e-3) << device;
            EXPECT_NEAR(doubles.second, expected.second, 1e-8 * expected.second) << device;
            EXPECT_LT(test::root_mean_square(floats.first, expected.first), 1e-3 * 1e-3) << device;
        }
    }
}

}  // namespace
}  // namespace solenoid::jumps_test
