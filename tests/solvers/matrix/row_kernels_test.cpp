// Products with sparse rows against plain loops: rows of any length, far columns, reduced entries,
// long rows cut in pieces.
#include <gtest/gtest.h>

#include <cmath>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/matrix/split_rows.hpp"
#include "support/devices.hpp"

namespace solenoid::row_kernels_test {
namespace {

class RowKernels : public testing::TestWithParam<std::string> {};

// A row's sum, begun with `sum`, as a plain loop has it: on devices that share rows to rounding,
// for their order is another.
template <class Real, class Entry>
void expect_row_sum(const Device& device, Real found, Real sum, const Rows& rows, Index i,
                    const Entry& term) {
    Real size = std::abs(sum);
    for (Index k = rows.start[i]; k < rows.start[i + 1]; ++k) {
        sum += term(k);
        size += std::abs(term(k));
    }
    const Real rounding =
        device.info().shares_rows ? 4 * std::numeric_limits<Real>::epsilon() * size : 0;
    ASSERT_LE(std::abs(found - sum), rounding) << i;
}

// Rows of any length, over any part of them, as a plain loop sums them.
TEST_P(RowKernels, SumRows) {
    HostMatrix matrix;
    const Index rows = 101, columns = 40;
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < (7 * i) % 12; ++j)
            matrix.append((3 * i + 5 * j) % columns, 0.25 * j - 1);
        matrix.end_row();
    }
    const auto device = test::make_device(GetParam());
    const DeviceRows<> held(*device, matrix);
    std::vector<double> x(columns);
    for (Index j = 0; j < columns; ++j) x[j] = std::sin(1.0 + j);
    const auto given = device->buffer<double>(std::span<const double>(x));
    for (const Range range :
         {Range{0, rows}, Range{3, 98}, Range{17, 21}, Range{16, 24}, Range{9, 9}}) {
        auto y = device->buffer<double>(rows);
        y.upload(std::vector<double>(rows, -7));
        kernels::Spmv<double>{.dimension = 1,
                              .rows = held.rows,
                              .column = held.index,
                              .entry = held.entry,
                              .x = complete(given),
                              .value = y}
            .run(*device, range);
        const std::vector<double> sums = y.download();
        for (Index i = 0; i < rows; ++i) {
            if (i >= range.begin && i < range.end)
                expect_row_sum(*device, sums[i], 0.0, matrix.rows, i, [&](Index k) {
                    return matrix.entries[k] * x[matrix.rows.index[k]];
                });
            else
                ASSERT_EQ(sums[i], -7) << i;
        }
    }
}

// Columns further apart than the CPU's 16-bit distances reach, some rows' all of them: whole
// numbers, so that any order sums alike.
TEST_P(RowKernels, SumRowsOfFarColumns) {
    HostMatrix matrix;
    const Index rows = 50, columns = 400000;
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < i % 13; ++j)
            matrix.append(i % 3 ? 1000 * i + j : (i * 70001 + j * 65536) % columns, double(1 + j));
        matrix.end_row();
    }
    const auto device = test::make_device(GetParam());
    const DeviceRows<> held(*device, matrix);
    std::vector<double> x(columns);
    for (Index j = 0; j < columns; ++j) x[j] = j % 1009;
    const auto given = device->buffer<double>(std::span<const double>(x));
    auto y = device->buffer<double>(rows);
    kernels::Spmv<double>{.dimension = 1,
                          .rows = held.rows,
                          .column = held.index,
                          .entry = held.entry,
                          .x = complete(given),
                          .value = y}
        .run(*device, {0, rows});
    const std::vector<double> sums = y.download();
    for (Index i = 0; i < rows; ++i) {
        double sum = 0;
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k)
            sum += matrix.entries[k] * x[matrix.rows.index[k]];
        ASSERT_EQ(sums[i], sum) << i;
    }
}

// Entries in the precision below that of the vectors, single or bfloat16: quarters are exact in
// both.
template <class Real>
void expect_defect(const std::string& device_name) {
    HostMatrix matrix;
    const Index rows = 101;
    std::vector<Real> x(rows), b(rows);
    std::vector<float> diagonal(rows);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < (7 * i) % 12; ++j)
            matrix.append((3 * i + 5 * j) % rows, 0.25 * ((i + j) % 9) - 1);
        matrix.end_row();
        x[i] = std::sin(Real(1 + i));
        b[i] = std::cos(Real(1 + i));
        diagonal[i] = 1 + 0.5f * (i % 3);
    }
    const auto device = test::make_device(device_name);
    const DeviceRows<Reduced<Real>> held(*device, matrix);
    const auto given = device->template buffer<Real>(std::span<const Real>(x)),
               right = device->template buffer<Real>(std::span<const Real>(b));
    const auto d = device->template buffer<float>(std::span<const float>(diagonal));
    auto y = device->template buffer<Real>(rows);
    kernels::ChebyshevDefect<Real>{.dimension = 1,
                                   .rows = held.rows,
                                   .column = held.index,
                                   .entry = held.entry,
                                   .from = complete(given),
                                   .diagonal = d,
                                   .b = right,
                                   .x = given,
                                   .value = y}
        .run(*device, {0, rows});
    const std::vector<Real> defect = y.download();
    for (Index i = 0; i < rows; ++i) {
        const Real first = b[i] - Real(diagonal[i]) * x[i];
        expect_row_sum(*device, defect[i], first, matrix.rows, i,
                       [&](Index k) { return Real(matrix.entries[k]) * -x[matrix.rows.index[k]]; });
    }
    const auto entries = held.entry.download();
    Index positive = 0, expected = 0;
    for (const auto entry : entries) positive += float(entry) > 0;
    for (const double entry : matrix.entries) expected += entry > 0;
    EXPECT_EQ(positive, expected);
}
TEST_P(RowKernels, MultiplyByReducedEntries) {
    expect_defect<double>(GetParam());
    expect_defect<float>(GetParam());
}

// Vectors by the weights of one matrix: as their columns one by one, bit by bit, with a diagonal
// for each and with one for all.
template <class Real>
void expect_columns(Device& device, int dimension) {
    Rows neighbours;
    std::vector<double> weights;
    const Index rows = 101;
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < (7 * i) % 12; ++j) {
            neighbours.index.push_back((3 * i + 5 * j) % rows);
            weights.push_back(std::sin(1.0 + i + j));
        }
        neighbours.start.push_back(static_cast<Index>(neighbours.index.size()));
    }
    const SellLayout layout(neighbours, device.row_stride());
    const SellRows held = layout.rows(device, neighbours.index);
    const auto weight = layout.upload<Real>(device, std::span<const double>(weights));
    const auto vectors = [&](int columns, double phase) {
        std::vector<Real> values(std::size_t(rows) * columns);
        for (std::size_t n = 0; n < values.size(); ++n)
            values[n] = static_cast<Real>(std::sin(phase + 1.7 * double(n)));
        return device.buffer<Real>(std::span<const Real>(values), columns);
    };
    const auto x = vectors(dimension, 1), b = vectors(dimension, 2), free = vectors(1, 3);
    for (const int shifts : {1, dimension})
        for (const Range range : {Range{0, rows}, Range{3, 98}, Range{16, 24}}) {
            const auto shift = vectors(shifts, 4);
            auto y = vectors(dimension, 5), y_each = vectors(dimension, 5),
                 r = vectors(dimension, 5), r_each = vectors(dimension, 5);
            const auto xy = kernels::LaplacianSpmv<Real>{.dimension = dimension,
                                                         .rows = held.rows,
                                                         .column = held.index,
                                                         .weight = weight,
                                                         .shift = shift,
                                                         .free = free,
                                                         .x = complete(x),
                                                         .value = y}
                                .run(ThisRank(), device, range);
            const auto rr = kernels::LaplacianResidual<Real>{.dimension = dimension,
                                                             .rows = held.rows,
                                                             .column = held.index,
                                                             .weight = weight,
                                                             .shift = shift,
                                                             .free = free,
                                                             .b = b,
                                                             .x = complete(x),
                                                             .value = r}
                                .run(ThisRank(), device, range);
            for (int k = 0; k < dimension; ++k) {
                const auto own = column(shift, shifts > 1 ? k : 0);
                auto alone = device.template buffer<Real>(x.size());
                Over(device, {0, x.size()})[alone] = column(x, k);
                const double product =
                    kernels::ScalarLaplacianSpmv<Real>{.rows = held.rows,
                                                       .column = held.index,
                                                       .weight = weight,
                                                       .shift = own,
                                                       .free = free,
                                                       .x = complete(alone),
                                                       .value = column(y_each, k)}
                        .run(ThisRank(), device, range)
                        .xy;
                const double square =
                    kernels::ScalarLaplacianResidual<Real>{.rows = held.rows,
                                                           .column = held.index,
                                                           .weight = weight,
                                                           .shift = own,
                                                           .free = free,
                                                           .b = column(b, k),
                                                           .x = complete(alone),
                                                           .value = column(r_each, k)}
                        .run(ThisRank(), device, range)
                        .rr;
                EXPECT_EQ(product, k == 0 ? xy.xy_0 : k == 1 ? xy.xy_1 : xy.xy_2);
                EXPECT_EQ(square, k == 0 ? rr.rr_0 : k == 1 ? rr.rr_1 : rr.rr_2);
            }
            EXPECT_EQ(y.download(), y_each.download());
            EXPECT_EQ(r.download(), r_each.download());
        }
}
TEST_P(RowKernels, MultiplyVectorsAsTheirColumns) {
    const auto device = test::make_device(GetParam());
    for (const int dimension : {1, 2, 3}) {
        expect_columns<double>(*device, dimension);
        expect_columns<float>(*device, dimension);
    }
}

// A column is no vector, and a kernel that writes it reads no other argument there.
TEST_P(RowKernels, ColumnsAreChecked) {
    const auto device = test::make_device(GetParam());
    auto x = device->buffer<double>(10, 2), y = device->buffer<double>(10);
    EXPECT_THROW(
        (kernels::CgDirection<double>{.inverse_diagonal = y, .r = x, .p = y, .beta = 1.0}.run(
            *device, {0, 10})),
        std::logic_error);
    EXPECT_THROW((kernels::CgDirection<double>{
                     .inverse_diagonal = column(x, 0), .r = y, .p = column(x, 0), .beta = 1.0}
                      .run(*device, {0, 10})),
                 std::logic_error);
    EXPECT_NO_THROW((kernels::CgDirection<double>{
        .inverse_diagonal = column(x, 0), .r = y, .p = column(x, 1), .beta = 1.0}
                         .run(*device, {0, 10})));
}

// Nearest, ties to even; a float's range.
TEST(Bfloat16, RoundsToTheNearest) {
    EXPECT_EQ(float(Bfloat16(1.0f)), 1.0f);
    EXPECT_EQ(float(Bfloat16(1.0f + 0x1p-8f)), 1.0f);
    EXPECT_EQ(float(Bfloat16(1.0f + 0x1p-8f + 0x1p-20f)), 1.0f + 0x1p-7f);
    EXPECT_EQ(float(Bfloat16(1.0f + 0x1.8p-7f)), 1.0f + 0x1p-6f);
    EXPECT_EQ(float(Bfloat16(-3e38f)), -float(Bfloat16(3e38f)));
    for (float value : {3e-30f, -7.123f, 1e30f, 0.1f})
        EXPECT_NEAR(float(Bfloat16(value)), value, std::abs(value) * 0x1p-9f);
    EXPECT_EQ(float(Bfloat16(0.0f)), 0.0f);
}

// Few long rows are shared out over the lanes of a GPU, or cut, and put together again.
TEST_P(RowKernels, SumLongRowsInParts) {
    HostMatrix matrix;
    const Index rows = 101, columns = 400;
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < (37 * i) % 300; ++j)
            matrix.append((3 * i + 7 * j) % columns, 0.25 * (j % 9) - 1);
        matrix.end_row();
    }
    const auto device = test::make_device(GetParam());
    const SplitRows<double> held(*device, matrix);
    EXPECT_EQ(held.is_cut(), GetParam() == "fragment");
    EXPECT_EQ(device->info().shares_rows, GetParam() == "compute" || GetParam() == "cuda");
    std::vector<double> x(columns);
    for (Index j = 0; j < columns; ++j) x[j] = std::sin(1.0 + j);
    const auto given = device->buffer<double>(std::span<const double>(x));
    auto y = device->buffer<double>(rows);
    kernels::Spmv<double>{.dimension = 1,
                          .rows = held.rows,
                          .column = held.index,
                          .entry = held.entry,
                          .x = held.gathered(*device, complete(given)),
                          .value = y}
        .run(*device, {0, rows});
    const std::vector<double> sums = y.download();
    for (Index i = 0; i < rows; ++i) {
        double sum = 0;
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k)
            sum += matrix.entries[k] * x[matrix.rows.index[k]];
        EXPECT_NEAR(sums[i], sum, 1e-13) << i;  // quarters are exact in single precision
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, RowKernels, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::row_kernels_test
