// Geometric multigrid: coarse operators against R A P formed by Eigen, and rates of convergence, on
// every device and on several ranks.
#include <gtest/gtest.h>

#include <Eigen/SparseCore>
#include <array>
#include <cmath>
#include <numbers>

#include "device/expression.hpp"
#include "grid/multigrid/multigrid_cycle.hpp"
#include "grid/stencil/boundary_values.hpp"
#include "solvers/krylov/cg.hpp"
#include "support/devices.hpp"

namespace solenoid {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

class MultigridTest : public testing::TestWithParam<std::string> {};

// Values of the whole grid on every rank.
std::vector<double> whole(const Grid<double>& grid, const Buffer<double>& field) {
    const GridExtents& extents = grid.layout().extents();
    const GridBlock& b = grid.layout().block();
    const std::size_t nodes = static_cast<std::size_t>(extents.nodes());
    const std::vector<double> here = grid.to_host(field);
    std::vector<double> all(nodes * field.columns());
    std::size_t k = 0;
    for (int c = 0; c < field.columns(); ++c)
        for (int j = b.y; j < b.y + b.height; ++j)
            for (int i = b.x; i < b.x + b.width; ++i)
                all[c * nodes + std::size_t(j) * extents.nx + i] = here[k++];
    if (!grid.is_whole()) grid.comm().sum(std::span<double>(all));
    return all;
}

Sparse sparse(const Stencil<double>& a) {
    const Grid<double>& grid = a.grid();
    const GridExtents& e = grid.layout().extents();
    std::vector<double> values = whole(grid, a.straight());
    if (a.diagonal()) {
        const std::vector<double> more = whole(grid, a.diagonal());
        values.insert(values.end(), more.begin(), more.end());
    }
    const std::size_t nodes = static_cast<std::size_t>(e.nodes()), columns = values.size() / nodes;
    constexpr int steps[5][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < e.ny; ++j)
        for (int i = 0; i < e.nx; ++i)
            for (std::size_t c = 0; c < columns; ++c) {
                int x = i + steps[c][0], y = j + steps[c][1];
                if (e.is_periodic_x) x = (x + e.nx) % e.nx;
                if (e.is_periodic_y) y = (y + e.ny) % e.ny;
                const int from = j * e.nx + i, to = y * e.nx + x;
                const double value = values[c * nodes + from];
                if (value == 0) continue;
                EXPECT_TRUE(x >= 0 && y >= 0 && x < e.nx && y < e.ny);
                entries.emplace_back(from, to, value);
                if (c > 0) entries.emplace_back(to, from, value);
            }
    Sparse result(static_cast<int>(nodes), static_cast<int>(nodes));
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

// Node i of a direction is between the coarse nodes i / 2 and (i + 1) / 2.
std::array<std::pair<int, double>, 2> parents(int i, int n, bool is_periodic) {
    if (i % 2 == 0) return {{{i / 2, 1.0}, {i / 2, 0.0}}};
    if (i + 1 < n || is_periodic) return {{{i / 2, 0.5}, {(i + 1) / 2 % ((n + 1) / 2), 0.5}}};
    return {{{i / 2, 1.0}, {i / 2, 0.0}}};
}

Sparse prolongation(const GridExtents& e) {
    const int cx = (e.nx + 1) / 2, cy = (e.ny + 1) / 2;
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < e.ny; ++j)
        for (int i = 0; i < e.nx; ++i)
            for (const auto& [y, wy] : parents(j, e.ny, e.is_periodic_y))
                for (const auto& [x, wx] : parents(i, e.nx, e.is_periodic_x))
                    if (wx * wy != 0) entries.emplace_back(j * e.nx + i, y * cx + x, wx * wy);
    Sparse result(e.nx * e.ny, cx * cy);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

double wavy(double x, double y) { return 1.2 + std::sin(5 * x) * std::cos(7 * y); }

TEST_P(MultigridTest, CoarseOperatorsAreGalerkins) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    for (const auto& [nx, ny] : {std::pair{33, 40}, {38, 41}, {61, 45}})
        for (int periodic = 0; periodic < 4; ++periodic) {
            if (device->info().is_software && (nx != 61 || periodic == 2)) continue;
            const GridExtents extents{nx, ny, bool(periodic & 1), bool(periodic & 2)};
            const Grid<double> grid(comm, *device, GridBlocks(extents, comm.size()));
            BoundaryValues problem;
            problem.conductivity = wavy;
            problem.reaction = wavy;
            problem.sides = {
                SideCondition{1, 1, nullptr}, {1, 0, nullptr}, {0, 1, nullptr}, {1, 0, nullptr}};
            auto system = assemble(grid, problem);
            GridMultigrid<double> multigrid(system.matrix);
            ASSERT_GT(multigrid.levels(), 2);
            for (int level = 0; level + 1 < multigrid.levels(); ++level) {
                const Stencil<double>& fine = multigrid.matrix(level);
                const Stencil<double>& coarse = multigrid.matrix(level + 1);
                const GridExtents& e = fine.grid().layout().extents();
                if (e.nx < 5 || e.ny < 5) continue;  // a stencil holds a node twice
                const Sparse p = prolongation(e), a = sparse(fine);
                // coarse nodes that are no unknowns here are none there
                const std::vector<double> marker = whole(fine.grid(), fine.marker());
                Sparse kept(p.cols(), p.cols());
                const int cx = (e.nx + 1) / 2;
                for (int k = 0; k < p.cols(); ++k)
                    if (marker[std::size_t(2 * (k / cx)) * e.nx + 2 * (k % cx)] != 0)
                        kept.insert(k, k) = 1;
                const Sparse expected = Sparse(kept * (p.transpose() * a * p).pruned() * kept);
                EXPECT_LE(Sparse(expected - sparse(coarse)).norm(), 1e-13 * expected.norm())
                    << nx << " x " << ny << ", periodic " << periodic << ", level " << level;
            }
        }
}

struct Problem {
    const char* name;
    GridExtents extents;
    SideCondition side;
};

// The geometric mean of the last of ten cycles' factors, for A u = 0 in the greatest norm.
double factor(Device& device, const Problem& problem, const MultigridSettings& settings,
              bool is_constant = false) {
    const Communicator comm = Communicator::world();
    const Grid<double> grid(comm, device, GridBlocks(problem.extents, comm.size()));
    BoundaryValues values;
    values.sides.fill(problem.side);
    values.hx = values.hy = 1.0 / (problem.extents.nx - 1);
    auto system = assemble(grid, values);
    const double d = 4;
    Stencil<double> constant(grid, grid.marker([&](int i, int j) {
        return i > 0 && j > 0 && i + 1 < problem.extents.nx && j + 1 < problem.extents.ny;
    }),
                             {d, -1, -1});
    Stencil<double>& matrix = is_constant ? constant : system.matrix;
    GridMultigrid<double> multigrid(matrix);
    const Buffer<double> zero = grid.field();
    Buffer<double> u = grid.field_of(
        [&](int i, int j) { return std::sin(12.9898 * i + 78.233 * j) + std::cos(3.1 * i * j); });
    const Over nodes(device, grid.layout().nodes());
    nodes[u] = u * matrix.marker();
    if (system.is_singular) {
        const double mean = grid.dot(matrix.marker(), u, matrix.marker()) /
                            grid.dot(matrix.marker(), matrix.marker(), matrix.marker());
        nodes[u] = (u - mean) * matrix.marker();
    }
    const auto report = multigrid.solve(zero, u, settings, 0, 11);
    const auto& r = report.residuals;
    return std::pow(r[11] / r[6], 1.0 / 5);
}

TEST_P(MultigridTest, CyclesReduceTheErrorByTheirFactors) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const bool is_slow = device->info().is_software;
    const SideCondition value{1, 0, nullptr}, both{1, 1, nullptr};
    struct Bound {
        Problem problem;
        double v, w, v_reversed, w_reversed;
    };
    for (const auto& [problem, v, w, v_reversed, w_reversed] :
         {Bound{{"values", {129, 129}, value}, 0.13, 0.08, 0.30, 0.26},
          {{"periodic", {128, 128, true, true}, value}, 0.15, 0.10, 0.30, 0.26},
          {{"exchange", {129, 129}, both}, 0.20, 0.20, 0.30, 0.26}}) {
        if (is_slow && problem.extents.is_periodic_x) continue;
        EXPECT_LE(factor(*device, problem, {}), v) << problem.name;
        if (is_slow) continue;
        EXPECT_LE(factor(*device, problem, {.coarse_cycles = 2}), w) << problem.name;
        EXPECT_LE(factor(*device, problem, {.is_reversed = true}), v_reversed) << problem.name;
        EXPECT_LE(factor(*device, problem, {.coarse_cycles = 2, .is_reversed = true}), w_reversed)
            << problem.name;
        if (!problem.extents.is_periodic_x && problem.side.beta == 0) {
            EXPECT_LE(factor(*device, problem, {}, true), v) << "constant";
        }
    }
}

TEST_P(MultigridTest, FullMultigridReachesTheErrorOfTheDiscreteSolution) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    using std::numbers::pi;
    const int n = device->info().is_software ? 65 : 129;
    const Grid<double> grid(comm, *device, GridBlocks({n, n}, comm.size()));
    const auto exact = [](double x, double y) {
        return std::sin(3 * pi * x) * std::sin(2 * pi * y);
    };
    BoundaryValues problem;
    problem.hx = problem.hy = 1.0 / (n - 1);
    problem.source = [&](double x, double y) { return 13 * pi * pi * exact(x, y); };
    auto system = assemble(grid, problem);
    GridMultigrid<double> multigrid(system.matrix);
    const Buffer<double> expected =
        grid.field_of([&](int i, int j) { return exact(i * problem.hx, j * problem.hy); });
    Buffer<double> u = grid.field(), difference = grid.field();
    const auto error = [&] {
        Over(*device, grid.layout().nodes())[difference] = u - expected;
        return grid.greatest(system.matrix.marker(), difference);
    };
    multigrid.solve_full(system.right_hand_side, u, {}, 2);
    const double full = error();
    const auto report = multigrid.solve(system.right_hand_side, u, {}, 1e-12, 40);
    EXPECT_TRUE(report.has_converged);
    EXPECT_LE(full, 1.2 * error());
}

TEST_P(MultigridTest, ACycleIsAPreconditionerOfConjugateGradients) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    for (const bool is_inclusion : {false, true}) {
        const Grid<double> grid(comm, *device, GridBlocks({129, 129}, comm.size()));
        BoundaryValues problem;
        problem.hx = problem.hy = 1.0 / 128;
        // jumps on lines of all but the two coarsest grids; a circular inclusion
        problem.conductivity = [&](double x, double y) {
            if (is_inclusion) return std::hypot(x - 0.5, y - 0.5) < 0.3 ? 1e3 : 1.0;
            return (static_cast<int>(x * 8) + static_cast<int>(y * 8)) % 2 ? 1e3 : 1.0;
        };
        problem.source = [](double, double) { return 1.0; };
        auto system = assemble(grid, problem);
        GridMultigrid<double> multigrid(system.matrix);
        GridPreconditioner<double> preconditioner(multigrid, {});
        ConjugateGradients<double> cg(comm, system.matrix);
        Buffer<double> u = grid.field();
        const SolveReport report = cg.solve(preconditioner, system.right_hand_side, u,
                                            {.tolerance = 1e-8, .max_iterations = 100});
        EXPECT_TRUE(report.converged()) << report.explanation();
        EXPECT_LE(report.iterations, is_inclusion ? 28 : 18);
        RecordProperty(is_inclusion ? "inclusion" : "blocks", report.iterations);
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, MultigridTest, testing::ValuesIn(test::device_names()));

}  // namespace
}  // namespace solenoid
