// Multigrid on several ranks: what is computed on each of them gives what one rank would, and what
// is computed beyond the border what its owner would.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "parallel/bytes.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/multigrid.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"
#include "support/poisson_case.hpp"

namespace solenoid::multigrid_ranks_test {
namespace {

struct RanksCase : test::PoissonCase {
    using PoissonCase::PoissonCase;
    // Several levels on all ranks before the last.
    static MultigridSettings settings() {
        MultigridSettings result;
        result.coarsest = 20;
        result.rows_a_rank = 60;
        return result;
    }
    std::vector<HierarchyLevel> hierarchy(const MultigridSettings& settings) const {
        return make_hierarchy(comm, ranges, mesh.halo(problem.kind), problem.matrix, problem.fixed,
                              settings);
    }
    template <class Real>
    std::vector<Real> applied(Device& device, const MultigridSettings& settings) const {
        Multigrid<Real> multigrid(comm, device, ranges, mesh.halo(problem.kind), problem.matrix,
                                  problem.fixed, settings);
        auto r = test::owned_field_of<Real>(device, mesh, problem.kind, 1, [&](Index i, int) {
            return test::random_value(test::key_of(mesh.mesh, problem.kind, i), 5);
        });
        auto z = device.buffer<Real>(ranges.all);
        multigrid.apply(r, z);
        std::vector<Real> result = z.download();
        result.resize(ranges.owned);
        return result;
    }
    int iterations(Device& device, const MultigridSettings& settings) const {
        Multigrid<double> multigrid(comm, device, ranges, mesh.halo(problem.kind), problem.matrix,
                                    problem.fixed, settings);
        RowMatrix<double> matrix(comm, device, ranges, mesh.halo(problem.kind), problem.matrix);
        matrix.fix(problem.fixed);
        ConjugateGradients<double> cg(comm, matrix);
        auto b = test::owned_field_of<double>(device, mesh, problem.kind, 1,
                                              [&](Index i, int) { return problem.rhs[i]; });
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

class MultigridRanksTest : public testing::TestWithParam<std::string> {
  protected:
    // Software renderers compile each kernel on each rank.
    const bool is_slow_ = GetParam() == "compute" || GetParam() == "fragment";
};

// Aggregates, matrices and sums of one rank that had all rows, bit by bit.
TEST_P(MultigridRanksTest, ReplicasDoWhatOneRankWould) {
    const auto device = test::make_device(GetParam());
    for (Kind kind : {Kind::node, Kind::cell}) {
        if (is_slow_ && kind == Kind::node) continue;
        const RanksCase test(kind, 2000);
        MultigridSettings alone = RanksCase::settings();
        alone.most_replicas = 0;
        EXPECT_EQ(test.applied<double>(*device, RanksCase::settings()),
                  test.applied<double>(*device, alone));
        EXPECT_EQ(test.applied<float>(*device, RanksCase::settings()),
                  test.applied<float>(*device, alone));
        EXPECT_EQ(test.iterations(*device, RanksCase::settings()), test.iterations(*device, alone));
    }
}

TEST(Replicas, AreTheSameOnEveryRank) {
    const RanksCase test(Kind::cell, 8000);
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

// Rows of other ranks computed here, in place of an exchange a step: the bits of exchanging each
// time. Where a device cuts rows, which layers do without, the last bits differ.
template <class Real>
void expect_same_bits(const RanksCase& test, Device& device, const MultigridSettings& with,
                      const MultigridSettings& without) {
    const std::vector<Real> layered = test.applied<Real>(device, with),
                            plain = test.applied<Real>(device, without);
    if (device.parallel_rows() == 0) {
        EXPECT_EQ(layered, plain);
    }
    const double rounding = 1e3 * std::numeric_limits<Real>::epsilon();
    for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(layered[i], plain[i], rounding);
}

TEST_P(MultigridRanksTest, LayersGiveTheBitsOfExchangingEachStep) {
    const auto device = test::make_device(GetParam());
    for (Kind kind : {Kind::node, Kind::cell}) {
        const RanksCase test(kind, 1500);
        for (int smoothing : {1, 3}) {
            if (is_slow_ && (kind == Kind::node) != (smoothing == 1)) continue;
            MultigridSettings with = RanksCase::settings();
            with.smoothing = smoothing;
            MultigridSettings without = with;
            with.rows_a_message = 1000000;
            without.rows_a_message = 1;
            expect_same_bits<double>(test, *device, with, without);
            if (smoothing == 3) expect_same_bits<float>(test, *device, with, without);
        }
    }
}

// Of a cycle: with layers twice a level, for b and after the correction, and once to replicate;
// else once a product, for the defect and for the correction.
TEST(Layers, SpareMessages) {
    const RanksCase test(Kind::cell, 4000);
    const auto device = make_cpu_device();
    for (const bool has_layers : {false, true}) {
        MultigridSettings settings = RanksCase::settings();
        settings.rows_a_message = has_layers ? 1000000 : 1;
        std::int64_t expected = 0;
        const auto levels = test.hierarchy(settings);
        for (std::size_t k = 0; k < levels.size(); ++k) {
            if (levels[k].is_replicated) {
                ++expected;
                break;
            }
            EXPECT_EQ(levels[k].layers.size(),
                      has_layers ? std::size_t(settings.steps(k)) + 2 : 0u);
            // there and back, and scattered
            if (levels[k].is_gathered) expected += has_layers ? 3 : 2;
            expected += has_layers ? 2 : 2 * settings.steps(k) + (k ? 2 : 1);
        }
        Multigrid<double> multigrid(test.comm, *device, test.ranges, test.mesh.halo(Kind::cell),
                                    test.problem.matrix, test.problem.fixed, settings);
        auto r = device->buffer<double>(test.ranges.all),
             z = device->buffer<double>(test.ranges.all);
        const std::int64_t before = test.comm.traffic().exchanges;
        multigrid.apply(r, z);
        const std::int64_t count = test.comm.sum(test.comm.traffic().exchanges - before);
        EXPECT_LE(count, test.comm.size() * expected);
        EXPECT_GE(test.comm.traffic().exchanges - before, levels[0].layers.empty() ? 5 : 2);
        if (test.comm.size() == 2) {
            EXPECT_EQ(count, 2 * expected);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, MultigridRanksTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::multigrid_ranks_test
