// Multigrid on several ranks: what is computed on each of them gives what one rank would, and what is computed beyond the border what
// its owner would.
#include <gtest/gtest.h>

#include "bench/poisson_problem.hpp"
#include "mesh/box.hpp"
#include "parallel/bytes.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/multigrid.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"

namespace solenoid {
namespace {

using bench::poisson_problem, bench::PoissonProblem;

struct RanksCase {
    Communicator comm = Communicator::world();
    DistributedMesh mesh;
    PoissonProblem problem;
    EntityRanges ranges;

    RanksCase(Kind kind, std::size_t cells) : mesh(distribute(comm, comm.is_root() ? std::optional(box(cells)) : std::nullopt)),
                                              problem(poisson_problem(comm, mesh, kind)),
                                              ranges(mesh.range(kind)) {}
    static SimplexMesh box(std::size_t cells) {
        BoxSettings settings;
        settings.cells = cells;
        return box_mesh(settings);
    }
    // Several levels on all ranks before the last.
    static MultigridSettings settings() {
        MultigridSettings result;
        result.coarsest = 20;
        result.rows_a_rank = 60;
        return result;
    }
    std::vector<HierarchyLevel> hierarchy(const MultigridSettings& settings) const {
        return make_hierarchy(comm, ranges, mesh.halo(problem.kind), problem.matrix, problem.fixed, settings);
    }
    template <class Real>
    std::vector<Real> applied(Device& device, const MultigridSettings& settings) const {
        Multigrid<Real> multigrid(comm, device, ranges, mesh.halo(problem.kind), problem.matrix, problem.fixed, settings);
        auto r = test::owned_field_of<Real>(device, mesh, problem.kind, 1, [&](Index i, int) { return test::random_value(test::key_of(mesh.mesh, problem.kind, i), 5); });
        auto z = device.buffer<Real>(ranges.all);
        multigrid.apply(r, z);
        std::vector<Real> result = z.download();
        result.resize(ranges.owned);
        return result;
    }
    int iterations(Device& device, const MultigridSettings& settings) const {
        Multigrid<double> multigrid(comm, device, ranges, mesh.halo(problem.kind), problem.matrix, problem.fixed, settings);
        RowMatrix<double> matrix(comm, device, ranges, mesh.halo(problem.kind), problem.matrix);
        matrix.fix(problem.fixed);
        ConjugateGradients<double> cg(comm, device, matrix);
        auto b = test::owned_field_of<double>(device, mesh, problem.kind, 1, [&](Index i, int) { return problem.rhs[i]; });
        auto x = device.buffer<double>(ranges.all);
        return cg.solve(multigrid, b, x, {1e-8, 200}).iterations;
    }
};

template <class T>
bool is_same_everywhere(const Communicator& comm, const std::vector<T>& values) {
    const auto mine = bytes_of(values);
    std::vector<std::byte> first(mine.begin(), mine.end());
    comm.broadcast(first);
    return !comm.any(!std::ranges::equal(first, mine));
}

class MultigridRanksTest : public testing::TestWithParam<std::string> {};

// Aggregates, matrices and sums of one rank that had all rows, bit by bit.
TEST_P(MultigridRanksTest, ReplicasDoWhatOneRankWould) {
    const auto device = test::make_device(GetParam());
    for (Kind kind : {Kind::node, Kind::cell}) {
        const RanksCase test(kind, 4000);
        MultigridSettings alone = RanksCase::settings();
        alone.most_replicas = 0;
        EXPECT_EQ(test.applied<double>(*device, RanksCase::settings()), test.applied<double>(*device, alone));
        EXPECT_EQ(test.applied<float>(*device, RanksCase::settings()), test.applied<float>(*device, alone));
        EXPECT_EQ(test.iterations(*device, RanksCase::settings()), test.iterations(*device, alone));
    }
}

TEST(Replicas, AreTheSameOnEveryRank) {
    const RanksCase test(Kind::cell, 4000);
    const auto levels = test.hierarchy(RanksCase::settings());
    std::size_t first = 0;
    while (first < levels.size() && !levels[first].is_replicated) ++first;
    ASSERT_LT(first, levels.size());
    ASSERT_LT(first + 1, levels.size());
    EXPECT_GT(first, 1u);
    for (std::size_t k = first; k < levels.size(); ++k) {
        const HierarchyLevel& level = levels[k];
        EXPECT_EQ(level.own, level.rows);
        EXPECT_TRUE(level.halo.neighbours.empty());
        EXPECT_TRUE(is_same_everywhere(test.comm, level.matrix.rows.index));
        EXPECT_TRUE(is_same_everywhere(test.comm, level.matrix.entries));
        EXPECT_TRUE(is_same_everywhere(test.comm, level.inverse.entries));
        EXPECT_TRUE(is_same_everywhere(test.comm, std::vector{level.largest_eigenvalue}));
    }
    EXPECT_TRUE(levels.back().is_inverted);
    EXPECT_EQ(test.comm.sum(std::int64_t(levels[first].arriving)), levels[first].rows);
}

INSTANTIATE_TEST_SUITE_P(Devices, MultigridRanksTest, testing::ValuesIn(test::device_names()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid
