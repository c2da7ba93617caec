// Prolongations and Galerkin's product beside dense matrices.
#include "solvers/multigrid/prolongation.hpp"

#include <gtest/gtest.h>

#include "solvers/multigrid/dense_matrix.hpp"

namespace solenoid::prolongation_test {
namespace {

using test::Dense, test::expect_near, test::grid_laplacian, test::dealt_out, test::uneven,
    test::whole;

// A free problem on a grid and its aggregates.
struct Transfers {
    Communicator comm = Communicator::world();
    Dense dense = grid_laplacian(8, 7);
    RowPartition rows = uneven(comm, 56);
    ParallelMatrix a = dealt_out(comm, dense, rows, rows);
    std::vector<double> diagonal;
    Aggregates aggregates;

    Transfers() {
        for (Index i = 0; i < a.rows.rows.rows(); ++i) diagonal.push_back(a.rows.diagonal(i));
        aggregates = aggregate(a.rows, diagonal, 0.25);
    }
};

TEST(Prolongation, OfOneEachLeavesEmptyRowsOut) {
    const Aggregates found = one_each({2, 0, 1, -1, 3});
    EXPECT_EQ(found.of, (std::vector<Index>{0, none, 1, none, 2}));
    EXPECT_EQ(found.count, 3u);
}

TEST(Prolongation, IsOneInEachAggregate) {
    const Communicator comm = Communicator::world();
    const int rank = comm.rank();
    // 2 aggregates on even ranks, none on others
    const Aggregates aggregates = rank % 2 ? Aggregates{} : Aggregates{{1, none, 0, 1}, 2};
    const ParallelMatrix p = tentative_prolongation(comm, aggregates);
    const int columns = 2 * ((comm.size() + 1) / 2);
    EXPECT_EQ(p.partition.count(), columns);
    EXPECT_TRUE(p.ghosts.empty());
    Dense expected(2 * columns, columns);
    for (int k = 0; k < columns / 2; ++k)
        expected(4 * k, 2 * k + 1) = expected(4 * k + 2, 2 * k) = expected(4 * k + 3, 2 * k + 1) =
            1;
    EXPECT_EQ(whole(comm, p).entries, expected.entries);
}

// (I - omega D^-1 A) P_0, to the last bits of a fixed-point number; constants lie in its range.
TEST(Prolongation, IsSmoothed) {
    const Transfers t;
    const double omega = 0.7;
    const Dense found =
        whole(t.comm, smoothed_prolongation(t.comm, t.a, t.aggregates, t.diagonal, omega));
    const Dense tentative = whole(t.comm, tentative_prolongation(t.comm, t.aggregates));
    Dense smoother = t.dense;
    for (std::size_t i = 0; i < smoother.rows; ++i)
        for (std::size_t j = 0; j < smoother.columns; ++j)
            smoother(i, j) = double(i == j) - omega / t.dense(i, i) * t.dense(i, j);
    expect_near(found, smoother * tentative, 0x1p-20);
    for (std::size_t i = 0; i < found.rows; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < found.columns; ++j) {
            EXPECT_EQ(found(i, j), static_cast<float>(found(i, j)));
            sum += found(i, j);
        }
        EXPECT_EQ(sum, 1) << i;
    }
}

TEST(Prolongation, RoundsAndKeepsTheSumsOfRows) {
    constexpr double unit = 0x1p-21;
    HostMatrix p;
    for (int j = 0; j < 3; ++j) p.append(j, 1.0 / 3);  // 699050.67 units
    p.end_row();
    p.end_row();
    p.append(0, 0.3 * unit);
    p.append(1, -5.4 * unit);
    p.append(2, 7.4 * unit);
    p.end_row();
    round_to_single(p);
    EXPECT_EQ(p.entries, (std::vector<double>{699050 * unit, 699051 * unit, 699051 * unit, 0,
                                              -5 * unit, 7 * unit}));
}

TEST(Prolongation, MakesGalerkinsMatrix) {
    const Transfers t;
    const ParallelMatrix p = smoothed_prolongation(t.comm, t.a, t.aggregates, t.diagonal, 0.7);
    const GalerkinProduct found = galerkin_product(t.comm, t.a, p);
    const Dense dense_p = whole(t.comm, p);
    EXPECT_EQ(whole(t.comm, found.restriction).entries, transposed(dense_p).entries);
    EXPECT_EQ(found.matrix.partition.start, p.partition.start);
    const Dense coarse = whole(t.comm, found.matrix);
    expect_near(coarse, transposed(dense_p) * (t.dense * dense_p), 1e-13);
    for (std::size_t i = 0; i < coarse.rows; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < coarse.columns; ++j) sum += coarse(i, j);
        EXPECT_NEAR(sum, 0, 1e-13);
    }
}

}  // namespace
}  // namespace solenoid::prolongation_test
