// Hierarchies beside dense products, level by level.
#include "solvers/multigrid/hierarchy.hpp"

#include <gtest/gtest.h>

#include "parallel/fill_ghosts.hpp"
#include "solvers/multigrid/dense_matrix.hpp"

namespace solenoid::hierarchy_test {
namespace {

using test::Dense, test::expect_near, test::grid_laplacian, test::dealt_out, test::uneven;

// A hierarchy of a dense matrix whose rows are spread unevenly.
struct Levels {
    Communicator comm = Communicator::world();
    std::vector<HierarchyLevel> levels;

    Levels(const Dense& dense, const std::vector<Index>& fixed, const MultigridSettings& settings) {
        const RowPartition rows = uneven(comm, static_cast<Index>(dense.rows));
        const ParallelMatrix a = dealt_out(comm, dense, rows, rows);
        const Index own = a.own_columns(comm);
        std::vector<Index> here;
        for (Index i : fixed)
            if (rows.owner(i) == comm.rank())
                here.push_back(static_cast<Index>(i - rows.first(comm.rank())));
        levels = make_hierarchy(comm, {own, own, own, a.all_columns(comm)},
                                halo_plan(comm, rows, a.ghosts), a.rows, here, settings);
    }

    // The ranks that a level's vectors are spread over: from a replicated one on each is alone.
    Communicator ranks(std::size_t k) const {
        for (std::size_t level = 0; level <= k; ++level)
            if (levels[level].is_replicated) return Communicator::self();
        return comm;
    }
    // The global number of every value of a level's vectors: own ones, and ghosts by `halo`.
    std::vector<GlobalIndex> numbers(std::size_t k, const HaloPlan& halo) const {
        const HierarchyLevel& level = levels[k];
        std::vector<GlobalIndex> result(std::max(level.size, level.arriving), -1);
        const GlobalIndex first = row_partition(ranks(k), level.own).first(ranks(k).rank());
        for (Index i = 0; i < level.own; ++i) result[i] = first + i;
        fill_ghosts(ranks(k), halo, result);
        return result;
    }
    // What the prolongation to the finer level reads of a vector.
    std::vector<GlobalIndex> prolonged(std::size_t k) const {
        const HierarchyLevel& level = levels[k];
        if (!level.is_gathered)
            return numbers(k, level.layers.empty() ? level.prolongation_halo : level.halo);
        std::vector<GlobalIndex> result = numbers(k, level.scatter);
        fill_ghosts(comm, level.prolongation_halo, result);
        return result;
    }

    Dense matrix(std::size_t k) const {
        return dense(k, levels[k].matrix, 0, levels[k].own, levels[k].rows,
                     numbers(k, levels[k].halo));
    }
    Dense prolongation(std::size_t k) const {
        return dense(k, levels[k].prolongation, 0, levels[k].own, levels[k + 1].rows,
                     prolonged(k + 1));
    }
    Dense restriction(std::size_t k) const {
        return dense(k, levels[k].restriction, levels[k + 1].first, levels[k + 1].arriving,
                     levels[k].rows, numbers(k, levels[k].halo));
    }

  private:
    // Rows [first, first + count) of this rank, those of all ranks of level k one after the other.
    Dense dense(std::size_t k, const HostMatrix& matrix, Index first, Index count,
                std::int64_t columns, const std::vector<GlobalIndex>& number) const {
        const RowPartition rows = row_partition(ranks(k), count);
        Dense result(rows.count(), columns);
        for (Index i = 0; i < count; ++i)
            for (Index n = matrix.rows.start[first + i]; n < matrix.rows.start[first + i + 1]; ++n)
                result(rows.first(ranks(k).rank()) + i, number.at(matrix.rows.index[n])) +=
                    matrix.entries[n];
        ranks(k).sum(std::span<double>(result.entries));
        return result;
    }
};

MultigridSettings small() {
    MultigridSettings settings;
    settings.coarsest = 6;
    return settings;
}
// Levels on all ranks to the last, gathered on fewer and on one, whole on all; with layers of
// ghosts and without.
std::vector<MultigridSettings> all_ways() {
    std::vector<MultigridSettings> ways;
    for (const Index rows_a_rank : {1, 20})
        for (const int most_replicas : {0, 64})
            for (const Index rows_a_message : {1, 100000}) {
                ways.push_back(small());
                ways.back().rows_a_rank = rows_a_rank;
                ways.back().most_replicas = most_replicas;
                ways.back().rows_a_message = rows_a_message;
            }
    return ways;
}

// A level's matrix is R A P of the finer one, R = P^T.
void expect_galerkin(const Levels& h) {
    for (std::size_t k = 0; k + 1 < h.levels.size(); ++k) {
        const Dense p = h.prolongation(k);
        EXPECT_EQ(h.restriction(k).entries, transposed(p).entries);
        expect_near(h.matrix(k + 1), transposed(p) * (h.matrix(k) * p), 1e-12);
    }
}

TEST(Hierarchy, IsGalerkins) {
    const Dense a = grid_laplacian(14, 13);
    for (const MultigridSettings& settings : all_ways()) {
        const Levels h(a, {}, settings);
        ASSERT_GE(h.levels.size(), 3u);
        expect_near(h.matrix(0), a, 0);
        expect_galerkin(h);
    }
}

// Constants stay constants on all levels of a free problem, and in the null space.
TEST(Hierarchy, ProlongsConstants) {
    for (const MultigridSettings& settings : all_ways()) {
        const Levels h(grid_laplacian(14, 13), {}, settings);
        for (std::size_t k = 0; k + 1 < h.levels.size(); ++k) {
            const Dense p = h.prolongation(k), coarse = h.matrix(k + 1);
            for (std::size_t i = 0; i < p.rows; ++i) {
                double sum = 0;
                for (std::size_t j = 0; j < p.columns; ++j) sum += p(i, j);
                EXPECT_EQ(sum, 1) << "level " << k << ", row " << i;
            }
            for (std::size_t i = 0; i < coarse.rows; ++i) {
                double sum = 0;
                for (std::size_t j = 0; j < coarse.columns; ++j) sum += coarse(i, j);
                EXPECT_NEAR(sum, 0, 1e-12);
            }
        }
    }
}

// Rows fall to a fifth or less of a grid's, but where a small level is gathered as it is; the last
// one is small, on one rank or on all, and inverted.
TEST(Hierarchy, EndsInASmallLevel) {
    const std::size_t n = 14, m = 13;
    for (const MultigridSettings& settings : all_ways()) {
        const Levels h(grid_laplacian(n, m), {}, settings);
        EXPECT_EQ(h.levels[0].rows, std::int64_t(n * m));
        for (std::size_t k = 1; k < h.levels.size(); ++k) {
            const HierarchyLevel &fine = h.levels[k - 1], &coarse = h.levels[k];
            if (fine.rows > settings.coarsest)
                EXPECT_LE(3 * coarse.rows, fine.rows) << k;
            else
                EXPECT_EQ(coarse.rows, fine.rows) << k;
            EXPECT_EQ(h.ranks(k).sum(std::int64_t(coarse.own)), coarse.rows);
        }
        const HierarchyLevel& last = h.levels.back();
        EXPECT_LE(last.rows, settings.coarsest);
        EXPECT_EQ(last.ranks, 1);
        EXPECT_TRUE(last.is_inverted);
        EXPECT_EQ(last.inverse.rows.rows(), last.own);
    }
}

TEST(Hierarchy, HasAsManyLevelsAsItMay) {
    MultigridSettings settings = small();
    settings.max_levels = 2;
    const Levels h(grid_laplacian(14, 13), {}, settings);
    EXPECT_EQ(h.levels.size(), 2u);
    expect_galerkin(h);
}

// Fixed rows are empty on the finest level, in the transfers, and nowhere else.
TEST(Hierarchy, LeavesFixedRowsOut) {
    const std::vector<Index> fixed{0, 5, 90, 181};
    const Dense a = grid_laplacian(14, 13);
    for (const MultigridSettings& settings : all_ways()) {
        const Levels h(a, fixed, settings);
        Dense free = a;
        for (std::size_t i = 0; i < a.rows; ++i)
            for (Index j : fixed) free(i, j) = free(j, i) = 0;
        expect_near(h.matrix(0), free, 0);
        expect_galerkin(h);
        const Dense p = h.prolongation(0);
        for (std::size_t i = 0; i < p.rows; ++i) {
            double most = 0;
            for (std::size_t j = 0; j < p.columns; ++j) most = std::max(most, std::abs(p(i, j)));
            if (std::find(fixed.begin(), fixed.end(), i) != fixed.end())
                EXPECT_EQ(most, 0) << i;
            else
                EXPECT_GT(most, 0) << i;
        }
    }
}

// Rows without any coupling have no coarse level; an empty matrix, also on all ranks, has one
// level.
TEST(Hierarchy, OfNothingToCoarsenIsOneLevel) {
    Dense identity(60, 60);
    for (std::size_t i = 0; i < 60; ++i) identity(i, i) = 2;
    const Levels uncoupled(identity, {}, small());
    EXPECT_EQ(uncoupled.levels.size(), 1u);
    EXPECT_FALSE(uncoupled.levels[0].is_inverted);
    const Levels nothing(Dense(0, 0), {}, small());
    EXPECT_EQ(nothing.levels.size(), 1u);
    EXPECT_EQ(nothing.levels[0].rows, 0);
}

// Of D^-1 A: not below what the power method finds, and a tenth above at most.
TEST(Hierarchy, BoundsTheLargestEigenvalue) {
    const Levels h(grid_laplacian(14, 13), {}, small());
    for (std::size_t k = 0; k < h.levels.size(); ++k) {
        const Dense a = h.matrix(k);
        if (a.rows < 2) continue;
        std::vector<double> x(a.rows), y(a.rows);
        for (std::size_t i = 0; i < a.rows; ++i) x[i] = std::sin(1.0 + 3.0 * double(i * i));
        double largest = 0;
        for (int step = 0; step < 3000; ++step) {
            largest = 0;
            for (std::size_t i = 0; i < a.rows; ++i) {
                y[i] = 0;
                for (std::size_t j = 0; j < a.rows; ++j) y[i] += a(i, j) * x[j] / a(i, i);
                largest = std::max(largest, std::abs(y[i]));
            }
            for (std::size_t i = 0; i < a.rows; ++i) x[i] = y[i] / largest;
        }
        EXPECT_GE(h.levels[k].largest_eigenvalue, largest * (1 - 1e-3));
        EXPECT_LE(h.levels[k].largest_eigenvalue, 1.1 * largest * (1 + 1e-3));
    }
}

}  // namespace
}  // namespace solenoid::hierarchy_test
