// Matrices exchange what their rows read, and nothing else; products have the bits of a rank that
// knows all ghosts.
#include <gtest/gtest.h>

#include <cmath>

#include "parallel/halo_plan.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"
#include "support/poisson_case.hpp"

namespace solenoid::matrix_halo_test {
namespace {

struct MatrixCase : test::PoissonCase {
    std::vector<bool> is_read;  // of ghosts
    std::int64_t read = 0;      // of all ranks

    explicit MatrixCase(Kind kind) : PoissonCase(kind, 3000), is_read(ranges.all, false) {
        for (Index column : problem.matrix.rows.index) is_read[column] = column >= ranges.owned;
        read = comm.sum(std::int64_t(std::count(is_read.begin(), is_read.end(), true)));
    }
    // bytes, by all ranks
    std::int64_t sent_since(const Traffic& before) const {
        return comm.sum(comm.traffic().bytes - before.bytes);
    }
    std::vector<double> values(bool has_ghosts, int columns = 1) const {
        std::vector<double> x(std::size_t(ranges.all) * columns, std::nan(""));
        for (int k = 0; k < columns; ++k)
            for (Index i = 0; i < (has_ghosts ? ranges.all : ranges.owned); ++i)
                x[std::size_t(k) * ranges.all + i] =
                    test::random_value(test::key_of(mesh.mesh, problem.kind, i), 11 + k);
        return x;
    }
    // Ghosts that are read have come, the others are as they were.
    void expect_ghosts(const std::vector<double>& x, int columns = 1) const {
        const std::vector<double> expected = values(true, columns);
        for (std::size_t at = 0; at < x.size(); ++at) {
            const Index i = static_cast<Index>(at % ranges.all);
            if (i >= ranges.owned && !is_read[i]) {
                ASSERT_TRUE(std::isnan(x[at])) << at;
            } else {
                ASSERT_EQ(x[at], expected[at]) << at;
            }
        }
    }
};

// On a rank by itself, whose ghosts are there already, the same rows give the same bits.
template <class Matrix, class Make>
void expect_product(Device& device, const MatrixCase& test, int columns, const Make& make) {
    const Communicator self = Communicator::self();
    Matrix matrix = make(test.comm, test.mesh.halo(test.problem.kind)),
           alone = make(self, HaloPlan{});
    auto x = device.buffer<double>(std::span<const double>(test.values(false, columns)), columns),
         all = device.buffer<double>(std::span<const double>(test.values(true, columns)), columns);
    auto y = device.buffer<double>(test.ranges.all, columns),
         expected = device.buffer<double>(test.ranges.all, columns);
    const Traffic before = test.comm.traffic();
    matrix.apply(x, y);
    EXPECT_EQ(test.sent_since(before), test.read * columns * 8);
    alone.apply(all, expected);
    EXPECT_EQ(y.download(), expected.download());
    test.expect_ghosts(x.download(), columns);
}

class MatrixHaloTest : public testing::TestWithParam<std::string> {};

TEST_P(MatrixHaloTest, FillsWhatTheRowsRead) {
    const auto device = test::make_device(GetParam());
    for (Kind kind : {Kind::node, Kind::edge, Kind::cell}) {
        const MatrixCase test(kind);
        expect_product<RowMatrix<double>>(
            *device, test, 1, [&](const Communicator& comm, const HaloPlan& plan) {
                return RowMatrix<double>(comm, *device, test.ranges, plan, test.problem.matrix);
            });
        for (int columns : {1, 3})
            expect_product<GraphLaplacian<double>>(
                *device, test, columns, [&](const Communicator& comm, const HaloPlan& plan) {
                    return GraphLaplacian<double>(comm, *device, test.ranges, plan,
                                                  test.problem.matrix.rows,
                                                  test.problem.matrix.entries, columns);
                });
    }
}

// In single precision beside it, too.
TEST_P(MatrixHaloTest, TheRoundedMatrixExchangesAsMuch) {
    const auto device = test::make_device(GetParam());
    const MatrixCase test(Kind::cell);
    RowMatrix<double> matrix(test.comm, *device, test.ranges, test.mesh.halo(Kind::cell),
                             test.problem.matrix);
    auto x = device->buffer<float>(test.ranges.all), y = device->buffer<float>(test.ranges.all);
    auto& rounded = matrix.rounded();
    const Traffic before = test.comm.traffic();
    rounded.apply(x, y);
    EXPECT_EQ(test.sent_since(before), test.read * 4);
}

// Of cells' neighbours across faces, far fewer than those across nodes.
TEST(NarrowedPlan, IsSmallerForCells) {
    const MatrixCase test(Kind::cell);
    const HaloPlan& whole = test.mesh.halo(Kind::cell);
    const HaloPlan plan = narrowed(test.comm, whole, test.problem.matrix.rows.index);
    EXPECT_EQ(test.comm.sum(std::int64_t(plan.send.size())), test.read);
    EXPECT_EQ(test.comm.sum(std::int64_t(plan.receive.size())), test.read);
    const std::int64_t all = test.comm.sum(std::int64_t(whole.receive.size()));
    EXPECT_LE(3 * test.read, all);
    EXPECT_TRUE(narrowed(test.comm, whole, std::span<const Index>()).neighbours.empty());
}

INSTANTIATE_TEST_SUITE_P(Devices, MatrixHaloTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::matrix_halo_test
