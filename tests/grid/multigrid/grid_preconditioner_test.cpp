// Cycles as a preconditioner of conjugate gradients: coefficients that jump, obstacles, singular
// problems, mapped grids.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "device/expression.hpp"
#include "grid/multigrid/multigrid_cycle.hpp"
#include "grid/stencil/boundary_values.hpp"
#include "grid/stencil/mapped_grid.hpp"
#include "solvers/krylov/cg.hpp"
#include "support/devices.hpp"

namespace solenoid::grid_preconditioner_test {
namespace {

using std::numbers::pi;

class GridPreconditionerTest : public testing::TestWithParam<std::string> {
  protected:
    const std::unique_ptr<Device> device_ = test::make_device(GetParam());
    const Communicator comm_ = Communicator::world();

    Grid<double> grid(const GridExtents& extents) const {
        return Grid<double>(comm_, *device_, GridBlocks(extents, comm_.size()));
    }
    // A number of -1 to 1 of its own for each node of any grid.
    static double noise(int i, int j) {
        std::mt19937 generator(static_cast<unsigned>(i) * 7919u + static_cast<unsigned>(j));
        return std::uniform_real_distribution<double>(-1, 1)(generator);
    }
    SolveReport solve(BoundaryValueSystem<double>& system, const Buffer<double>& b,
                      Buffer<double>& u, const GridCycle& settings = {}) const {
        GridMultigrid<double> multigrid(system.matrix, &system.kept);
        GridPreconditioner<double> preconditioner(multigrid, settings);
        ConjugateGradients<double> cg(comm_, system.matrix);
        const SolveReport report =
            cg.solve(preconditioner, b, u, {.tolerance = 1e-8, .max_iterations = 100});
        EXPECT_TRUE(report.converged()) << report.explanation();
        return report;
    }
    // Iterations for a right-hand side of random numbers.
    int iterations(const GridExtents& extents, const BoundaryValues& problem,
                   const GridCycle& settings = {}) const {
        const Grid<double> on = grid(extents);
        auto system = assemble(on, problem);
        Buffer<double> b = on.field_of(noise), u = on.field();
        Over(*device_, on.layout().nodes())[b] = b * system.matrix.marker();
        return static_cast<int>(solve(system, b, u, settings).iterations);
    }
};

TEST_P(GridPreconditionerTest, CoefficientsMayJump) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    const int n = device_->info().kind != "cpu" ? 65 : 257;
    BoundaryValues problem;
    problem.hx = problem.hy = 1.0 / (n - 1);
    const auto blocks = [&](int count) {
        problem.conductivity = [count](double x, double y) {
            const int at = static_cast<int>(x * count) + static_cast<int>(y * count);
            return at % 2 ? 1e3 : 1.0;
        };
        return iterations({n, n}, problem);
    };
    EXPECT_LE(blocks(8), 18);  // on lines of all grids but the coarsest
    if (device_->info().kind != "cpu") return;
    EXPECT_LE(blocks(7), 28);
    problem.conductivity = [](double x, double y) {
        return std::hypot(x - 0.5, y - 0.5) < 0.3 ? 1e3 : 1.0;
    };
    EXPECT_LE(iterations({n, n}, problem), 28);
}

TEST_P(GridPreconditionerTest, ObstaclesAreKeptByCoarseGrids) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    const int n = device_->info().kind != "cpu" ? 65 : 129;
    BoundaryValues problem;
    problem.hx = problem.hy = 1.0 / (n - 1);
    problem.is_land = [&](int i, int j) {
        return std::hypot(i * problem.hx - 0.5, j * problem.hy - 0.5) < 0.2;
    };
    EXPECT_LE(iterations({n, n}, problem), 10);
    problem.land_value = [](double, double) { return 1.0; };
    EXPECT_LE(iterations({n, n}, problem), 10);
}

// Without a given value anywhere U is known up to a constant, and the source loses its mean.
TEST_P(GridPreconditionerTest, SingularProblemsAreMadeConsistent) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    for (const bool is_periodic : {false, true}) {
        const int n = 64;
        const Grid<double> on = grid({is_periodic ? n : n + 1, n + 1, is_periodic, false});
        BoundaryValues problem;
        problem.hx = problem.hy = 1.0 / n;
        problem.sides.fill({0, 1, nullptr});
        const auto exact = [](double x, double y) {
            return std::cos(2 * pi * x) * std::cos(pi * y);
        };
        problem.source = [&](double x, double y) { return 5 * pi * pi * exact(x, y) + 0.3; };
        auto system = assemble(on, problem);
        ASSERT_TRUE(system.is_singular);
        Buffer<double> u = on.field();
        EXPECT_LE(solve(system, system.right_hand_side, u).iterations, 10);
        const Buffer<double>& marker = system.matrix.marker();
        Buffer<double> error =
            on.field_of([&](int i, int j) { return exact(double(i) / n, double(j) / n); });
        Over(*device_, on.layout().nodes())[error] = error - u;
        on.remove_mean(marker, error);
        EXPECT_LE(on.greatest(marker, error), 3e-3);  // of second order: 5 pi^2 h^2 / 12
    }
}

// Potential flow round a cylinder, in polar coordinates, and round a profile of Joukowski's, whose
// exact stream function is that of the cylinder before the mapping.
struct PotentialFlow {
    using Complex = std::complex<double>;
    bool is_profile;
    double radius, outer;
    Complex centre;

    static PotentialFlow of(bool is_profile) {
        if (!is_profile) return {false, 1, 4, 0};
        const double radius = 1.12;  // the trailing edge z = 2 is just inside
        return {true, radius, 8 * radius, {1.05 - std::sqrt(radius * radius - 0.01), 0.1}};
    }
    // of node (i, j) of n round and n outward
    Complex before_mapping(int i, int j, int n) const {
        const double share = double(j) / n;
        const double r = is_profile ? radius * std::pow(outer / radius, share)
                                    : radius + (outer - radius) * share;
        return centre + std::polar(r, -2 * pi * i / n);  // clockwise: cells turn to the left
    }
    Complex place(Complex zeta) const { return is_profile ? zeta + 1.0 / zeta : zeta; }
    Complex before_mapping(Complex z) const {
        if (!is_profile) return z;
        const Complex root = std::sqrt(z * z - 4.0), one = (z + root) / 2.0, two = (z - root) / 2.0;
        return std::abs(one - centre) > std::abs(two - centre) ? one : two;
    }
    double stream_function(Complex zeta) const {
        const double angle = 0.1, circulation = 1.5;
        const Complex w = zeta - centre, attack = std::polar(1.0, -angle);
        return (w * attack + radius * radius / w / attack +
                Complex(0, circulation / (2 * pi)) * std::log(w / radius))
            .imag();
    }
};

TEST_P(GridPreconditionerTest, PotentialFlowOnMappedGridsIsOfSecondOrder) {
    if (!device_->info().has_fp64) GTEST_SKIP();
    for (const bool is_profile : {false, true}) {
        if (is_profile && device_->info().kind != "cpu") continue;
        const PotentialFlow flow = PotentialFlow::of(is_profile);
        const int finest = device_->info().kind != "cpu" ? 32 : 128;
        double before = 0;
        for (const int n : {finest / 2, finest}) {
            const Grid<double> on = grid({n, n + 1, true, false});
            MappedBoundaryValues problem;
            problem.position = [&](int i, int j) {
                const auto z = flow.place(flow.before_mapping(i, j, n));
                return std::array{z.real(), z.imag()};
            };
            problem.sides[north].gamma = [&](double x, double y) {
                return flow.stream_function(flow.before_mapping({x, y}));
            };
            auto system = assemble(on, problem);
            Buffer<double> u = on.field();
            const int iterations = static_cast<int>(
                solve(system, system.right_hand_side, u, {.smoother = GridSmoother::lines})
                    .iterations);
            EXPECT_LE(iterations, 25) << n;
            Buffer<double> error = on.field_of(
                [&](int i, int j) { return flow.stream_function(flow.before_mapping(i, j, n)); });
            Over(*device_, on.layout().nodes())[error] = error - u;
            const double most = on.greatest(system.matrix.marker(), error);
            if (n == finest) {
                EXPECT_GT(std::log2(before / most), 1.8) << before << ", " << most;
            }
            before = most;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, GridPreconditionerTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::grid_preconditioner_test
