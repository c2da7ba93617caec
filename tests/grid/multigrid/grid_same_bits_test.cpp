// Solves on grids in a reproducible run on several ranks beside those of one rank that has all.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "device/expression.hpp"
#include "grid/multigrid/multigrid_cycle.hpp"
#include "grid/stencil/mapped_grid.hpp"
#include "solvers/krylov/cg.hpp"
#include "support/devices.hpp"
#include "support/reproducible.hpp"

namespace solenoid::grid_same_bits_test {
namespace {

using test::Reproducible;

struct Problem {
    GridExtents extents;
    bool has_land = false;
};

// Cells that are stretched, sheared and bent; k jumps.
MappedBoundaryValues values_of(const Problem& problem) {
    const auto [nx, ny, is_periodic, unused] = problem.extents;
    MappedBoundaryValues values;
    values.position = [nx = nx, ny = ny, is_periodic = is_periodic](int i, int j) {
        const double x = double(i) / nx, y = double(j) / ny;
        if (!is_periodic) return std::array{x + 0.2 * y, 3 * y * (1 + 0.3 * x)};
        const double angle = -2 * std::acos(-1.0) * x;
        return std::array{(1 + y) * std::cos(angle), 1.5 * (1 + y) * std::sin(angle)};
    };
    values.conductivity = [](double x, double) { return x < 0.4 ? 1 : 20; };
    values.source = [](double x, double y) { return 3 * x - y; };
    if (problem.has_land)
        values.is_part = [at = nx / 2](int i, int) { return i != at && i != at + 1; };
    values.sides.fill({1, 0, [](double x, double y) { return std::sin(3 * x) + y; }});
    values.sides[north] = {0, 1, nullptr};
    values.land = {0, 1, nullptr};
    return values;
}

struct Answer {
    std::vector<double> u;  // of the block
    GridBlock block;
    std::int64_t iterations = 0;
};

Answer solved(const Communicator& comm, Device& device, const Problem& problem,
              const GridCycle& cycle, bool by_cg) {
    const Grid<double> grid(comm, device, GridBlocks(problem.extents, comm.size()));
    auto system = assemble(grid, values_of(problem));
    GridMultigrid<double> multigrid(system.matrix, &system.kept);
    Buffer<double> u = grid.field();
    Answer answer{{}, grid.layout().block(), 0};
    if (by_cg) {
        GridPreconditioner<double> preconditioner(multigrid, cycle);
        ConjugateGradients<double> cg(comm, system.matrix);
        answer.iterations = cg.solve(preconditioner, system.right_hand_side, u,
                                     {.tolerance = 1e-8, .max_iterations = 60})
                                .iterations;
    } else {
        const double load = grid.greatest(system.matrix.marker(), system.right_hand_side);
        answer.iterations =
            multigrid.solve_until(system.right_hand_side, u, cycle, 1e-6 * load, 30).cycles;
    }
    answer.u = grid.to_host(u);
    return answer;
}

// What the nodes of this rank's block have of the whole.
std::vector<double> part(const Answer& whole, const GridBlock& block) {
    std::vector<double> values;
    for (int j = block.y; j < block.y + block.height; ++j)
        for (int i = block.x; i < block.x + block.width; ++i)
            values.push_back(whole.u[std::size_t(j) * whole.block.width + i]);
    return values;
}

void expect_alike(const Problem& problem, const GridCycle& cycle, bool by_cg) {
    const auto device = test::make_device("cpu");
    const Reproducible reproducible;
    const Answer here = solved(Communicator::world(), *device, problem, cycle, by_cg),
                 whole = solved(Communicator::self(), *device, problem, cycle, by_cg);
    EXPECT_EQ(here.iterations, whole.iterations);
    EXPECT_EQ(here.u, part(whole, here.block)) << problem.extents.nx << " x " << problem.extents.ny
                                               << ", smoother " << static_cast<int>(cycle.smoother);
}

TEST(GridSameBits, LinesThatAreCutAreSolvedWhole) {
    for (const GridSmoother smoother :
         {GridSmoother::lines, GridSmoother::lines_x, GridSmoother::lines_y})
        for (const bool is_periodic : {false, true})
            expect_alike({{48, 41, is_periodic}}, {.smoother = smoother, .is_reversed = true},
                         true);
}

// Few nodes are solved at once by one rank, but not on several.
TEST(GridSameBits, FewNodesHaveTheGridsOfSeveralRanks) {
    for (const GridExtents& extents :
         {GridExtents{9, 2}, GridExtents{2, 8}, GridExtents{7, 6}, GridExtents{16, 15},
          GridExtents{8, 4, true}, GridExtents{4, 260}, GridExtents{300, 3}})
        expect_alike({extents}, {.is_reversed = true}, true);
}

// Between the quarters of a grid are ghosts, which a restriction fills.
TEST(GridSameBits, CyclesEndAlike) {
    for (const bool is_periodic : {false, true})
        for (const int coarse_cycles : {1, 2})
            expect_alike({{64, 33, is_periodic}}, {.coarse_cycles = coarse_cycles}, false);
}

TEST(GridSameBits, LandCutsTheGrid) { expect_alike({{36, 29}, true}, {.is_reversed = true}, true); }

// Every rank holds a coarse grid whole: a sum over it is each rank's own.
TEST(GridSameBits, SumsOfGridsHeldWhole) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const GridBlocks blocks({40, 40}, comm.size());
    std::optional<Reproducible> reproducible;
    for (const bool is_reproducible : {false, true}) {
        if (is_reproducible) reproducible.emplace();
        const int levels = comm.size() == 1 ? 0 : blocks.levels() + 1;
        const Grid<double> coarse(comm, *device, blocks, levels);
        const Buffer<double> ones = coarse.marker();
        EXPECT_EQ(coarse.dot(ones, ones, ones), double(coarse.layout().extents().nodes()));
        Buffer<double> x = coarse.field_of([](int i, int j) { return i + j; });
        coarse.remove_mean(ones, x);
        EXPECT_NEAR(coarse.dot(ones, x, ones), 0, 1e-10);
    }
}

}  // namespace
}  // namespace solenoid::grid_same_bits_test
