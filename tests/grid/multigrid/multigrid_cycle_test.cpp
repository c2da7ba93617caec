// Geometric multigrid: coarse operators against R A P formed by Eigen, and rates of convergence, on
// every device and on several ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "device/expression.hpp"
#include "grid/multigrid/multigrid_cycle.hpp"
#include "grid/stencil/boundary_values.hpp"
#include "support/devices.hpp"
#include "support/eigen_problems.hpp"

namespace solenoid::multigrid_cycle_test {
namespace {

using Sparse = test::SparseMatrix;
using test::product;

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
    test::Entries entries;
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
    return test::sparse(nodes, nodes, entries);
}

// Node i of a direction is between the coarse nodes i / 2 and (i + 1) / 2; behind the last coarse
// node it has `last` times the value there.
std::array<std::pair<int, double>, 2> parents(int i, int n, bool is_periodic, double last) {
    if (i % 2 == 0) return {{{i / 2, 1.0}, {i / 2, 0.0}}};
    if (i + 1 < n || is_periodic) return {{{i / 2, 0.5}, {(i + 1) / 2 % ((n + 1) / 2), 0.5}}};
    return {{{i / 2, last}, {i / 2, 0.0}}};
}

// What the rows of the last nodes of a direction, at even nodes of the other, give them where their
// neighbours along the side have the same value.
double last_weight(const Sparse& a, const GridExtents& e, bool is_y) {
    const int last = (is_y ? e.ny : e.nx) - 1;
    double before = 0, rest = 0;
    for (int k = 0; k < a.outerSize(); ++k)
        for (Sparse::InnerIterator at(a, k); at; ++at) {
            const auto place = [&](Eigen::Index n) {
                return static_cast<int>(is_y ? n / e.nx : n % e.nx);
            };
            const Eigen::Index row = at.row();
            if (place(row) != last || (is_y ? row % e.nx : row / e.nx) % 2 != 0) continue;
            (place(at.col()) == last ? rest : before) += at.value();
        }
    return rest > 0 ? std::clamp(-before / rest, 0.0, 1.0) : 1;
}

Sparse prolongation(const Sparse& a, const GridExtents& e) {
    const int cx = (e.nx + 1) / 2, cy = (e.ny + 1) / 2;
    const double last_x = last_weight(a, e, false), last_y = last_weight(a, e, true);
    test::Entries entries;
    for (int j = 0; j < e.ny; ++j)
        for (int i = 0; i < e.nx; ++i)
            for (const auto& [y, wy] : parents(j, e.ny, e.is_periodic_y, last_y))
                for (const auto& [x, wx] : parents(i, e.nx, e.is_periodic_x, last_x))
                    if (wx * wy != 0) entries.emplace_back(j * e.nx + i, y * cx + x, wx * wy);
    return test::sparse(e.nx * e.ny, cx * cy, entries);
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
            problem.is_land = [](int i, int j) { return i > 9 && i < 18 && j > 5 && j < 13; };
            auto system = assemble(grid, problem);
            GridMultigrid<double> multigrid(system.matrix, &system.kept, nullptr, 36);
            ASSERT_GT(multigrid.levels(), 2);
            std::vector<double> kept = whole(grid, system.kept);
            for (int level = 0; level + 1 < multigrid.levels(); ++level) {
                const Stencil<double>& fine = multigrid.matrix(level);
                const Stencil<double>& coarse = multigrid.matrix(level + 1);
                const GridExtents& e = fine.grid().layout().extents();
                if (e.nx < 5 || e.ny < 5) break;  // a stencil holds a node twice
                const Sparse a = sparse(fine), p = prolongation(a, e);
                std::vector<double> coarse_kept;
                for (int y = 0; y < e.ny; y += 2)
                    for (int x = 0; x < e.nx; x += 2)
                        coarse_kept.push_back(kept[std::size_t(y) * e.nx + x]);
                kept = coarse_kept;
                Sparse filter(p.cols(), p.cols());
                for (int k = 0; k < p.cols(); ++k)
                    if (kept[k] != 0) filter.insert(k, k) = 1;
                const Sparse galerkins = product(product(Sparse(p.transpose()), a), p).pruned();
                const Sparse expected = product(product(filter, galerkins), filter);
                EXPECT_LE(Sparse(expected - sparse(coarse)).norm(), 1e-13 * expected.norm())
                    << nx << " x " << ny << ", periodic " << periodic << ", level " << level;
            }
        }
}

struct Problem {
    const char* name;
    GridExtents extents;
    SideCondition side;
    double stretch = 1;  // hy / hx
};

BoundaryValues values_of(const Problem& problem) {
    BoundaryValues values;
    values.sides.fill(problem.side);
    values.hx = 1.0 / (problem.extents.nx - 1);
    values.hy = problem.stretch * values.hx;
    return values;
}

// The geometric mean of the last of ten cycles' factors, for A u = 0 in the greatest norm.
double factor(GridMultigrid<double>& multigrid, const GridCycle& settings,
              bool is_singular = false) {
    const Grid<double>& grid = multigrid.matrix(0).grid();
    const Buffer<double>& marker = multigrid.matrix(0).marker();
    const Buffer<double> zero = grid.field();
    Buffer<double> u = grid.field_of(
        [&](int i, int j) { return std::sin(12.9898 * i + 78.233 * j) + std::cos(3.1 * i * j); });
    Over(grid.device(), grid.layout().nodes())[u] = u * marker;
    if (is_singular) grid.remove_mean(marker, u);
    const auto report = multigrid.solve(zero, u, settings, 0, 11);
    const auto& r = report.residuals;
    return std::pow(r[11] / r[6], 1.0 / 5);
}
double factor(Device& device, const Problem& problem, const GridCycle& settings) {
    const Communicator comm = Communicator::world();
    // lines along the strong coupling are cut into as many parts as there are ranks
    const auto uncut = problem.stretch > 1   ? GridBlocks::Uncut::y
                       : problem.stretch < 1 ? GridBlocks::Uncut::x
                                             : GridBlocks::Uncut::neither;
    const Grid<double> grid(comm, device, GridBlocks(problem.extents, comm.size(), uncut));
    auto system = assemble(grid, values_of(problem));
    GridMultigrid<double> multigrid(system.matrix, &system.kept);
    return factor(multigrid, settings, system.is_singular);
}

const SideCondition value{1, 0, nullptr}, both{1, 1, nullptr}, slope{0, 1, nullptr};

TEST_P(MultigridTest, CyclesReduceTheErrorByTheirFactors) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const bool is_slow = device->info().kind != "cpu";
    struct Bound {
        Problem problem;
        double v, w, v_reversed, w_reversed;
    };
    for (const auto& [problem, v, w, v_reversed, w_reversed] :
         {Bound{{"values", {129, 129}, value}, 0.13, 0.08, 0.30, 0.26},
          {{"periodic", {128, 128, true, true}, value}, 0.15, 0.10, 0.30, 0.26},
          {{"exchange", {129, 129}, both}, 0.20, 0.20, 0.30, 0.26},
          {{"slopes", {129, 129}, slope}, 0.20, 0.20, 0.30, 0.26},
          {{"any size", {134, 118}, value}, 0.13, 0.13, 0.33, 0.33}}) {
        if (is_slow && problem.extents.nx != 134) continue;
        EXPECT_LE(factor(*device, problem, {}), v) << problem.name;
        if (is_slow) continue;
        EXPECT_LE(factor(*device, problem, {.coarse_cycles = 2}), w) << problem.name;
        EXPECT_LE(factor(*device, problem, {.is_full = true}), w) << problem.name;
        EXPECT_LE(factor(*device, problem, {.is_reversed = true}), v_reversed) << problem.name;
        EXPECT_LE(factor(*device, problem, {.coarse_cycles = 2, .is_reversed = true}), w_reversed)
            << problem.name;
    }
}

TEST_P(MultigridTest, OtherSmoothersHaveFactorsOfTheirOwn) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const int n = device->info().kind != "cpu" ? 33 : 129;
    const Problem square{"square", {n, n}, value}, flat{"flat", {n, n}, value, 20},
        tall{"tall", {n, n}, value, 1.0 / 20};
    EXPECT_LE(factor(*device, square, {.smoother = GridSmoother::jacobi}), 0.40);
    EXPECT_LE(factor(*device, flat, {.smoother = GridSmoother::lines_x}), 0.12);
    EXPECT_LE(factor(*device, tall, {.smoother = GridSmoother::lines_y}), 0.12);
    EXPECT_LE(factor(*device, flat, {.smoother = GridSmoother::lines}), 0.12);
    EXPECT_LE(factor(*device, square, {.smoother = GridSmoother::lines}), 0.12);
    EXPECT_GE(factor(*device, flat, {}), 0.6);  // what they are for
    const Problem round{"round", {n - 1, n, true, false}, value, 20},
        odd{"round, odd", {n, n, true, false}, value, 20},
        upwards{"round, along y", {n, n + 1, false, true}, value, 1.0 / 20};
    EXPECT_LE(factor(*device, round, {.smoother = GridSmoother::lines_x}), 0.12);
    EXPECT_LE(factor(*device, odd, {.smoother = GridSmoother::lines_x}), 0.2);
    EXPECT_LE(factor(*device, upwards, {.smoother = GridSmoother::lines_y}), 0.12);
}

// A constant operator is one on all grids, and nothing but its numbers.
TEST_P(MultigridTest, CoarseOperatorsMayBeDiscretizedAgain) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    const GridExtents extents{65, 129};
    const Grid<double> grid(comm, *device, GridBlocks(extents, comm.size()));
    const auto constant = [](const Grid<double>& on) {
        const GridExtents& e = on.layout().extents();
        return Stencil<double>(on, on.marker([&](int i, int j) {
            return i > 0 && j > 0 && i + 1 < e.nx && j + 1 < e.ny;
        }),
                               {4, -1, -1});
    };
    Stencil<double> matrix = constant(grid);
    GridMultigrid<double> multigrid(
        matrix, nullptr, [&](const Grid<double>& coarser, int) { return constant(coarser); });
    for (int level = 0; level < multigrid.levels(); ++level)
        EXPECT_EQ(multigrid.matrix(level).kind(), StencilKind::constant);
    EXPECT_LE(factor(multigrid, {}), 0.13);
    const Grid<double> even(comm, *device, GridBlocks({66, 70}, comm.size()));
    Stencil<double> on_even = constant(even);
    GridMultigrid<double> galerkin(on_even);
    EXPECT_EQ(galerkin.matrix(1).kind(), StencilKind::nine);
    EXPECT_LE(factor(galerkin, {}), 0.13);
    if (device->info().kind != "cpu") return;
    EXPECT_LE(factor(multigrid, {.coarse_cycles = 2}), 0.08);
    EXPECT_LE(factor(multigrid, {.is_full = true}), 0.08);
    EXPECT_GE(factor(multigrid, {}), 0.08);  // what W and F cycles are for

    const Problem problem{"exchange", extents, both};
    const BoundaryValues values = values_of(problem);
    auto system = assemble(grid, values);
    GridMultigrid<double> again(
        system.matrix, &system.kept,
        [&](const Grid<double>& on, int level) -> std::optional<Stencil<double>> {
            const auto there = coarser(values, extents, level);
            if (!there) return std::nullopt;
            return std::move(assemble(on, *there).matrix);
        });
    EXPECT_EQ(again.matrix(1).kind(), StencilKind::five);
    EXPECT_LE(factor(again, {}), 0.20);
}

// M^-1 is symmetric with every smoother: v . M^-1 w = w . M^-1 v.
TEST_P(MultigridTest, ReversedCyclesAreSymmetric) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    const Grid<double> grid(comm, *device, GridBlocks({38, 29, true, false}, comm.size()));
    BoundaryValues problem;
    problem.conductivity = wavy;
    problem.sides[north] = both;
    auto system = assemble(grid, problem);
    const Buffer<double>& marker = system.matrix.marker();
    GridMultigrid<double> multigrid(system.matrix, &system.kept);
    Buffer<double> v = grid.field_of([](int i, int j) { return std::sin(3.0 * i * i + 7 * j); }),
                   w = grid.field_of([](int i, int j) { return std::cos(5.0 * j * i - 2 * j); });
    for (Buffer<double>* const vector : {&v, &w})
        Over(*device, grid.layout().nodes())[*vector] = *vector * marker;
    Buffer<double> mv = grid.field(), mw = grid.field();
    for (const GridSmoother smoother :
         {GridSmoother::colours, GridSmoother::jacobi, GridSmoother::lines_x, GridSmoother::lines_y,
          GridSmoother::lines}) {
        GridPreconditioner<double> preconditioner(multigrid,
                                                  {.smoother = smoother, .before = 2, .after = 2});
        const double here = preconditioner.apply(v, mv);
        preconditioner.apply(w, mw);
        const double own = grid.dot(marker, v, mv), left = grid.dot(marker, v, mw),
                     right = grid.dot(marker, w, mv);
        EXPECT_NEAR(comm.sum(here), own, 1e-12 * own);
        EXPECT_GT(own, 0);
        EXPECT_NEAR(left, right, 1e-11 * own) << static_cast<int>(smoother);
    }
}

// Calls that a device repeats are those of the settings: bit by bit what a new hierarchy gives.
TEST_P(MultigridTest, CyclesOfOneHierarchyMayDiffer) {
    const auto device = test::make_device(GetParam());
    const Communicator comm = Communicator::world();
    const Grid<float> grid(comm, *device, GridBlocks({65, 48, false, true}, comm.size()));
    BoundaryValues problem;
    problem.sides.fill(both);
    auto system = assemble(grid, problem);
    GridMultigrid<float> multigrid(system.matrix, &system.kept);
    const Buffer<float> b = grid.field_of([](int i, int j) { return std::sin(i * i + 3.0 * j); });
    Buffer<float> u = grid.field(), expected = grid.field();
    for (const GridCycle& settings :
         {GridCycle{}, GridCycle{.smoother = GridSmoother::jacobi}, GridCycle{.coarse_cycles = 2},
          GridCycle{.is_full = true}, GridCycle{.is_reversed = true}}) {
        GridMultigrid<float> another(system.matrix, &system.kept);
        Over(*device, Range{0, u.size()})[expected] = 0.0 * u;
        another.cycle(b, expected, settings);
        for (int k = 0; k < 3; ++k) {
            Over(*device, Range{0, u.size()})[u] = 0.0 * u;
            multigrid.cycle(b, u, settings);
            EXPECT_EQ(grid.to_host(u), grid.to_host(expected)) << k;
        }
    }
}

TEST_P(MultigridTest, CyclesEndWhereTheGreatestResidualIsSmallEnough) {
    const auto device = test::make_device(GetParam());
    const Communicator comm = Communicator::world();
    const Grid<float> grid(comm, *device, GridBlocks({65, 65}, comm.size()));
    BoundaryValues problem;
    problem.source = [](double, double) { return 1.0; };
    auto system = assemble(grid, problem);
    GridMultigrid<float> multigrid(system.matrix, &system.kept);
    Buffer<float> u = grid.field();
    const auto told = multigrid.solve(system.right_hand_side, u, {}, 1e-2, 20);
    ASSERT_TRUE(told.has_converged);
    ASSERT_GT(told.cycles, 1);
    Over(*device, Range{0, u.size()})[u] = 0.0 * u;
    const auto report = multigrid.solve_until(system.right_hand_side, u, {}, 1e-2, 20);
    EXPECT_TRUE(report.has_converged);
    EXPECT_EQ(report.cycles, told.cycles);
    Over(*device, Range{0, u.size()})[u] = 0.0 * u;
    EXPECT_FALSE(
        multigrid.solve_until(system.right_hand_side, u, {}, 1e-2, told.cycles - 1).has_converged);
    EXPECT_EQ(multigrid.solve_until(system.right_hand_side, u, {}, 1e-2, 20, 5).cycles, 5);
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
    GridMultigrid<double> multigrid(system.matrix, &system.kept);
    const Buffer<double> expected =
        grid.field_of([&](int i, int j) { return exact(i * problem.hx, j * problem.hy); });
    Buffer<double> u = grid.field(), difference = grid.field();
    const auto error = [&] {
        Over(*device, grid.layout().nodes())[difference] = u - expected;
        return grid.greatest(system.matrix.marker(), difference);
    };
    multigrid.solve_full(system.right_hand_side, u, {}, 1);
    const double once = error();
    multigrid.solve_full(system.right_hand_side, u, {}, 2);
    const double full = error();
    const auto report = multigrid.solve(system.right_hand_side, u, {}, 1e-12, 40);
    EXPECT_TRUE(report.has_converged);
    EXPECT_LE(once, 1.2 * error());
    EXPECT_LE(full, 1.2 * error());
}

INSTANTIATE_TEST_SUITE_P(Devices, MultigridTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::multigrid_cycle_test
