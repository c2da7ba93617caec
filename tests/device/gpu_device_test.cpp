// The GPUs' devices against the CPU device: every test runs on all of them, in every precision that
// they have.
#include "core/reproducible.hpp"
#include "device/any_above.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/sell_rows.hpp"
#include "device/test_kernels.hpp"
#include "gpu_devices.hpp"

namespace solenoid::test::gpu_device_test {
namespace {

// ---- memory

template <class T>
void round_trip(Device& device, const std::vector<T>& values, int columns) {
    const Buffer<T> buffer = device.buffer<T>(std::span<const T>(values), columns);
    EXPECT_EQ(buffer.download(), values) << values.size() << " values in " << columns << " columns";
}

TEST_P(GpuDevice, ValuesComeBackAsTheyWere) {
    for (Index size : {1u, 31u, 32u, 33u, 1000u, 70001u}) {
        for (int columns : {1, 3, 12}) {
            in_both_precisions([&](auto real) {
                using T = decltype(real);
                std::vector<T> values = random_values<T>(std::size_t(size) * columns, size);
                values[0] = std::numeric_limits<T>::infinity();
                values.back() = -std::numeric_limits<T>::min();
                round_trip(*device_, values, columns);
            });
            round_trip(*device_, random_indices(std::size_t(size) * columns, 0xFFFFFFFFu, size),
                       columns);
        }
    }
}

TEST_P(GpuDevice, LargeFieldsMoveInPieces) {
    round_trip(*device_, random_values<float>(3'000'001, 1), 1);
}

TEST_P(GpuDevice, MemoryIsZeroAndCounted) {
    const std::size_t before = device_->allocated_bytes();
    {
        const Buffer<float> buffer = device_->buffer<float>(5000, 3);
        EXPECT_EQ(buffer.download(), std::vector<float>(15000, 0.0f));
        EXPECT_GE(device_->allocated_bytes(), before + 5000 * 3 * sizeof(float));
    }
    EXPECT_EQ(device_->allocated_bytes(), before);
}

TEST_P(GpuDevice, MemoryOutlivesItsDevice) {
    const Buffer<float> buffer =
        device_->buffer<float>(std::span<const float>(std::vector<float>{1, 2, 3}));
    device_.reset();
    EXPECT_EQ(buffer.download(), (std::vector<float>{1, 2, 3}));
}

TEST_P(GpuDevice, TooLargeAFieldNamesTheLimit) {
    try {
        device_->buffer<float>(2'000'000'000u, 1000);
        FAIL() << "allocated";
    } catch (const ComputationError& error) {
        EXPECT_NE(std::string(error.what()).find(is_opengl() ? "GL_MAX_" : "cuMemAlloc"),
                  std::string::npos)
            << error.what();
    }
}

TEST_P(GpuDevice, FieldsAreCopied) {
    in_both_precisions([&](auto real) {
        using T = decltype(real);
        const auto values = random_values<T>(3 * 4097, 2);
        const Buffer<T> from = device_->buffer<T>(std::span<const T>(values), 3);
        Buffer<T> to = device_->buffer<T>(4097, 3);
        device_->copy(from, to);
        EXPECT_EQ(to.download(), values);
    });
}

// ---- launches

TEST_P(GpuDevice, ARangeLeavesTheRestUntouched) {
    in_both_precisions([&](auto real) {
        using T = decltype(real);
        const Index n = 5003;
        const auto x = random_values<T>(n, 3), y = random_values<T>(n, 4);
        for (Range range : {Range{0, n}, Range{0, 1}, Range{17, 18}, Range{100, 4321},
                            Range{n - 1, n}, Range{40, 40}}) {
            const Buffer<T> bx = device_->buffer<T>(std::span<const T>(x));
            Buffer<T> by = device_->buffer<T>(std::span<const T>(y));
            Over(*device_, range)[by] += 0.5 * bx;
            std::vector<T> expected = y;
            for (Index i = range.begin; i < range.end; ++i) expected[i] = y[i] + T(0.5) * x[i];
            expect_near(by.download(), expected);
            Over(*device_, range)[by] = 7;
            std::fill(expected.begin() + range.begin, expected.begin() + range.end, T(7));
            expect_near(by.download(), expected);
        }
    });
}

TEST_P(GpuDevice, UpdatesInPlaceFollowEachOther) {
    const Index n = 200'000;
    const Buffer<float> x =
        device_->buffer<float>(std::span<const float>(std::vector<float>(n, 1.0f)));
    Buffer<float> y = device_->buffer<float>(n);
    for (int k = 0; k < 20; ++k) {
        Over(*device_, {0, n / 2})[y] += x;
        Over(*device_, {n / 2, n})[y] += x;
    }
    EXPECT_EQ(y.download(), std::vector<float>(n, 20.0f));
}

template <class T>
std::vector<T> columns_on(Device& device, int dimension, Index n) {
    const int width = dimension + 1;
    const auto near = random_indices(std::size_t(n) * width, n, 5);
    const auto w = random_values<T>(n, 6),
               a = random_values<T>(std::size_t(n) * width * dimension, 7);
    const auto b_near = device.buffer<Index>(std::span<const Index>(near), width);
    const auto b_w = device.buffer<T>(std::span<const T>(w));
    const auto b_a = device.buffer<T>(std::span<const T>(a), width * dimension);
    Buffer<T> u = device.buffer<T>(n, dimension);
    test_kernels::ProbeColumns<T>{
        .dimension = dimension, .near = b_near, .w = b_w, .a = b_a, .value = u, .twice = 1u}
        .run(device, {3, n - 5});
    return u.download();
}

TEST_P(GpuDevice, ColumnsAndVectorsAsOnTheCpu) {
    for (int dimension : {2, 3})
        in_both_precisions([&](auto real) {
            using T = decltype(real);
            expect_near(columns_on<T>(*device_, dimension, 2011),
                        columns_on<T>(*cpu_, dimension, 2011));
        });
}

template <class T>
std::vector<T> rows_on(Device& device, int dimension, Index n) {
    Rows rows;
    std::mt19937 generator(8);
    for (Index i = 0; i < n; ++i) {
        const Index length = generator() % 9;
        for (Index j = 0; j < length; ++j) rows.index.push_back(generator() % n);
        rows.start.push_back(static_cast<Index>(rows.index.size()));
    }
    const RowLayout layout(rows, device.row_stride());
    const auto weight = random_values<T>(rows.index.size(), 9), x = random_values<T>(n, 10);
    std::vector<T> arm(layout.entries() * dimension);
    Index k = 0;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < layout.count(i); ++j, ++k)
            for (int c = 0; c < dimension; ++c)
                arm[c * layout.entries() + layout.position(i, j)] = T(k % 7) - T(c);
    const auto b_rows = layout.table(device);
    const auto b_column = layout.upload<Index, Index>(device, rows.index);
    const auto b_weight = layout.upload<T, T>(device, weight);
    const auto b_arm = device.buffer<T>(std::span<const T>(arm), dimension);
    const auto b_x = device.buffer<T>(std::span<const T>(x));
    Buffer<T> y = device.buffer<T>(n);
    test_kernels::ProbeRows<T>{.dimension = dimension,
                               .rows = b_rows,
                               .column = b_column,
                               .weight = b_weight,
                               .arm = b_arm,
                               .x = complete(b_x),
                               .value = y}
        .run(device, {0, n});
    return y.download();
}

TEST_P(GpuDevice, RowsOfVaryingLengthAsOnTheCpu) {
    for (int dimension : {2, 3})
        in_both_precisions([&](auto real) {
            using T = decltype(real);
            const auto computed = rows_on<T>(*device_, dimension, 1500),
                       expected = rows_on<T>(*cpu_, dimension, 1500);
            for (std::size_t i = 0; i < expected.size(); ++i)
                ASSERT_NEAR(computed[i], expected[i], 2000 * std::numeric_limits<T>::epsilon())
                    << i;
        });
}

template <class T>
struct Updated {
    std::vector<T> u, y;
    std::vector<Index> tag;
    double yy, greatest;
};

template <class T>
Updated<T> update_on(Device& device, int dimension, Index n, Range range, Index more = 0) {
    // `more`: outputs of other sizes than the first one's, as fields with and without ghosts.
    const auto x = random_values<T>(n, 11), y = random_values<T>(n + more, 12),
               u = random_values<T>(std::size_t(n) * dimension, 13);
    const auto b_x = device.buffer<T>(std::span<const T>(x));
    Buffer<T> b_u = device.buffer<T>(std::span<const T>(u), dimension),
              b_y = device.buffer<T>(std::span<const T>(y));
    Buffer<Index> tag = device.buffer<Index>(n + 2 * more);
    const auto result =
        test_kernels::ProbeUpdate<T>{
            .dimension = dimension, .x = b_x, .u = b_u, .y = b_y, .tag = tag, .a = T(0.25)}
            .run(ThisRank(), device, range);
    return {b_u.download(), b_y.download(), tag.download(), result.yy, result.greatest};
}

TEST_P(GpuDevice, EveryKindOfOutputAsOnTheCpu) {
    for (Range range : {Range{0, 5000}, Range{123, 4567}, Range{77, 78}})
        for (Index more : {0u, 3000u})
            for (int dimension : {2, 3})
                in_both_precisions([&](auto real) {
                    using T = decltype(real);
                    const auto computed = update_on<T>(*device_, dimension, 5000, range, more);
                    const auto expected = update_on<T>(*cpu_, dimension, 5000, range, more);
                    expect_near(computed.u, expected.u);
                    expect_near(computed.y, expected.y);
                    EXPECT_EQ(computed.tag, expected.tag);
                    EXPECT_NEAR(computed.yy, expected.yy, 1e-6 * std::abs(expected.yy));
                    EXPECT_NEAR(computed.greatest, expected.greatest, 1e-6);
                });
}

struct Elementwise {
    std::vector<double> y;
    std::vector<float> z;
    double total, yd;
};

template <class T>
Elementwise elementwise_on(Device& device, Index n, Range range) {
    const auto x = random_values<T>(n, 21), y = random_values<T>(n, 22);
    auto d = random_values<float>(n, 23, 0.5, 2);
    for (Index i = 0; i < n; i += 5) d[i] = 0;
    Buffer<T> b_y = device.buffer<T>(std::span<const T>(y));
    Buffer<float> z = device.buffer<float>(n);
    const auto b_x = device.buffer<T>(std::span<const T>(x));
    const auto b_d = device.buffer<float>(std::span<const float>(d));
    const auto sums =
        test_kernels::ProbeElementwise<T>{.x = b_x, .d = b_d, .y = b_y, .z = z, .a = T(0.25)}.run(
            ThisRank(), device, range);
    const auto computed = b_y.download();
    return {{computed.begin(), computed.end()}, z.download(), sums.total, sums.yd};
}

TEST_P(GpuDevice, NumbersOfBothWidthsAsOnTheCpu) {
    for (Range range : {Range{0, 5000}, Range{123, 4567}})
        in_both_precisions([&](auto real) {
            const auto computed = elementwise_on<decltype(real)>(*device_, 5000, range),
                       expected = elementwise_on<decltype(real)>(*cpu_, 5000, range);
            const double tolerance = 16 * std::numeric_limits<decltype(real)>::epsilon();
            for (Index i = 0; i < 5000; ++i)
                ASSERT_NEAR(computed.y[i], expected.y[i], tolerance) << i;
            expect_near(computed.z, expected.z);
            EXPECT_NEAR(computed.total, expected.total, 5000 * tolerance);
            EXPECT_NEAR(computed.yd, expected.yd, 5000 * tolerance);
        });
}

// ---- reductions

TEST_P(GpuDevice, ReductionsOfManySizes) {
    for (Index n : {1u, 2u, 31u, 32u, 33u, 1000u, 65537u, 300000u})
        in_both_precisions([&](auto real) {
            using T = decltype(real);
            const auto x = random_values<T>(n, n, -3, -1), y = random_values<T>(n, n + 1);
            const auto bx = device_->buffer<T>(std::span<const T>(x)),
                       by = device_->buffer<T>(std::span<const T>(y));
            for (Range range : {Range{0, n}, Range{n / 3, n - n / 5}}) {
                long double total = 0, xy = 0, size = 0;
                for (Index i = range.begin; i < range.end; ++i) {
                    total += x[i];
                    xy += static_cast<long double>(x[i]) * y[i];
                    size += std::abs(static_cast<long double>(x[i]) * y[i]);
                }
                EXPECT_NEAR(Over(*device_, range).sum(ThisRank(), bx), double(total),
                            1e-14 * std::abs(double(total)) + 1e-300)
                    << n;
                EXPECT_NEAR(Over(*device_, range).dot(ThisRank(), bx, by), double(xy),
                            1e-14 * double(size) + 1e-300)
                    << n;
                if (range.size() == 0) continue;
                const auto extrema = Over(*device_, range).reduce(least(bx), greatest(bx));
                const auto [low, high] =
                    std::minmax_element(x.begin() + range.begin, x.begin() + range.end);
                EXPECT_EQ(extrema[0], double(*low)) << n;
                EXPECT_EQ(extrema[1], double(*high)) << n;
            }
        });
}

TEST_P(GpuDevice, ReductionsAreReproducible) {
    const auto x = random_values<float>(200'000, 14);
    const auto buffer = device_->buffer<float>(std::span<const float>(x));
    const Over all(*device_, {0, 200'000});
    const double first = all.dot(ThisRank(), buffer, buffer);
    for (int k = 0; k < 5; ++k) EXPECT_EQ(all.dot(ThisRank(), buffer, buffer), first);
}

struct ReproducibleRun {
    ReproducibleRun() { set_reproducible(true); }
    ~ReproducibleRun() { set_reproducible(false); }
};

// Where one run of the loop does not reach over all of them, the next goes on from its values.
TEST(CpuDevice, ExtremesOfReproducibleRunsAreOfAllEntities) {
    const ReproducibleRun run;
    const auto device = make_device("cpu");
    for (const Index at : {0u, 40'000u, 99'999u}) {
        std::vector<double> values(100'000, 1.0);
        values[at] = -3;
        values[(at + 50'000) % values.size()] = 5;
        const auto buffer = device->buffer<double>(std::span<const double>(values));
        const auto extremes =
            Over(*device, {0, 100'000}).reduce(least(buffer), greatest(buffer), greatest(-buffer));
        EXPECT_EQ(extremes[0], -3) << at;
        EXPECT_EQ(extremes[1], 5) << at;
        EXPECT_EQ(extremes[2], 3) << at;
    }
}

// The sums of expressions and of kernels have the bits that the host's has, however large values
// differ and whichever part of them is added up.
TEST_P(GpuDevice, SumsOfReproducibleRunsAreThoseInNoOrder) {
    if (!device_->info().has_binned_sums) GTEST_SKIP() << GetParam() << " has no binned sums";
    const ReproducibleRun run;
    make();
    for (const Index n : {1u, 33u, 1000u, 70'001u}) {
        auto p = random_values<double>(n, n), q = random_values<double>(n, n + 1);
        for (Index i = 0; i < n; ++i) p[i] = std::ldexp(p[i], int(i % 120) - 60);
        const auto bp = device_->buffer<double>(std::span<const double>(p)),
                   bq = device_->buffer<double>(std::span<const double>(q));
        auto x = device_->buffer<double>(n);
        for (const Range range : {Range{0, n}, Range{n / 3, n}}) {
            BinnedSum sum, product, squares;
            for (Index i = range.begin; i < range.end; ++i) {
                sum.add(p[i]);
                product.add(p[i] * q[i]);
                squares.add(q[i] * q[i]);
            }
            const Over over(*device_, range);
            EXPECT_EQ(over.sum(ThisRank(), bp), sum.value()) << n;
            EXPECT_EQ(over.dot(ThisRank(), bp, bq), product.value()) << n;
            const auto extrema = over.reduce(least(bp), greatest(bp));
            EXPECT_EQ(extrema[0], *std::min_element(p.begin() + range.begin, p.end()));
            EXPECT_EQ(extrema[1], *std::max_element(p.begin() + range.begin, p.end()));
            auto r = device_->buffer<double>(std::span<const double>(q));
            const ThisRank alone;
            const kernels::CgStep<double> step{.p = bp, .q = bq, .x = x, .r = r, .alpha = 0.0};
            EXPECT_EQ(step.run(alone, *device_, range).rr, squares.value()) << n;
        }
    }
    auto odd = random_values<double>(500, 3);
    odd[123] = std::numeric_limits<double>::infinity();
    const auto infinite = device_->buffer<double>(std::span<const double>(odd));
    EXPECT_EQ(Over(*device_, {0, 500}).sum(ThisRank(), infinite), odd[123]);
    odd[321] = std::nan("");
    const auto none = device_->buffer<double>(std::span<const double>(odd));
    EXPECT_TRUE(std::isnan(Over(*device_, {0, 500}).sum(ThisRank(), none)));
}

// However many reductions come and go before it is asked for.
TEST_P(GpuDevice, AReductionWaitsUntilItIsCollected) {
    const Index n = 3000;
    const auto p = device_->buffer<float>(std::span<const float>(random_values<float>(n, 21))),
               q = device_->buffer<float>(std::span<const float>(random_values<float>(n, 22)));
    auto x = device_->buffer<float>(n),
         r = device_->buffer<float>(std::span<const float>(random_values<float>(n, 23)));
    // changes nothing
    const ThisRank alone;
    const kernels::CgStep<float> step{.p = p, .q = q, .x = x, .r = r, .alpha = 0.0f};
    const double expected = step.run(alone, *device_, {0, n}).rr;
    const Over all(*device_, {0, n});
    const double pq = all.dot(ThisRank(), p, q);
    auto first = step.start(alone, *device_, {0, n}),
         second = step.start(alone, *device_, {0, n / 2});
    for (int k = 0; k < 9; ++k) EXPECT_EQ(all.dot(ThisRank(), p, q), pq);
    EXPECT_EQ(first.get().rr, expected);
    EXPECT_EQ(second.get().rr, step.run(alone, *device_, {0, n / 2}).rr);
}

TEST_P(GpuDevice, AnEmptyRangeReducesToNothing) {
    const auto x = device_->buffer<float>(10);
    const Over nothing(*device_, {4, 4});
    EXPECT_EQ(nothing.sum(ThisRank(), x), 0.0);
    EXPECT_EQ(nothing.reduce(least(x))[0], std::numeric_limits<double>::infinity());
}

TEST_P(GpuDevice, ANanIsNotLost) {
    auto x = random_values<float>(5000, 15);
    x[3333] = std::nanf("");
    const auto buffer = device_->buffer<float>(std::span<const float>(x));
    EXPECT_TRUE(std::isnan(Over(*device_, {0, 5000}).sum(ThisRank(), buffer)));
    EXPECT_TRUE(std::isnan(Over(*device_, {0, 5000}).greatest(buffer)));
}

// ---- scatter and staging

TEST_P(GpuDevice, BoundaryValuesAreScattered) {
    for (int columns : {1, 3, 10})
        in_both_precisions([&](auto real) {
            using T = decltype(real);
            const Index n = 3001, count = 777;
            const auto where = random_subset(count, n, 16);
            const auto value = random_values<T>(std::size_t(count) * columns, 17),
                       old = random_values<T>(std::size_t(n) * columns, 18);
            const auto b_where = device_->buffer<Index>(std::span<const Index>(where));
            const auto b_value = device_->buffer<T>(std::span<const T>(value), columns);
            Buffer<T> out = device_->buffer<T>(std::span<const T>(old), columns);
            device_->scatter(b_value, b_where, out);
            auto expected = old;
            for (int j = 0; j < columns; ++j)
                for (Index k = 0; k < count; ++k)
                    expected[std::size_t(j) * n + where[k]] = value[std::size_t(j) * count + k];
            EXPECT_EQ(out.download(), expected);
        });
}

template <class T>
void gather_and_return(Device& device, Index n, Index count, int columns) {
    const auto where = random_subset(count, n, 19);
    std::vector<T> field(std::size_t(n) * columns), zero(field.size());
    std::iota(field.begin(), field.end(), T(1));
    const auto b_where = device.buffer<Index>(std::span<const Index>(where));
    Buffer<T> from = device.buffer<T>(std::span<const T>(field), columns),
              to = device.buffer<T>(n, columns);
    const auto staging = device.staging(std::size_t(count) * columns * sizeof(T));
    ASSERT_GE(staging->bytes, std::size_t(count) * columns * sizeof(T));
    for (int round = 1; round <= 3;
         ++round) {  // the same staging again and again, the host changing it in between
        device.gather(from.storage(), b_where.storage(), *staging);
        staging->wait();
        T* message = reinterpret_cast<T*>(staging->data());
        for (int j = 0; j < columns; ++j)
            for (Index k = 0; k < count; ++k) {
                T& value = message[std::size_t(j) * count + k];
                ASSERT_EQ(value, field[std::size_t(j) * n + where[k]]) << j << " " << k;
                value += T(round);
            }
        device.scatter(*staging, b_where.storage(), to.storage());
    }
    auto expected = zero;
    for (int j = 0; j < columns; ++j)
        for (Index k = 0; k < count; ++k)
            expected[std::size_t(j) * n + where[k]] = field[std::size_t(j) * n + where[k]] + T(3);
    EXPECT_EQ(to.download(), expected);
}

TEST_P(GpuDevice, HaloMessagesGoOutAndComeBack) {
    for (Index count : {1u, 500u, 2500u})
        for (int columns : {1, 3, 9}) {
            in_both_precisions([&](auto real) {
                gather_and_return<decltype(real)>(*device_, 4000, count, columns);
            });
            gather_and_return<Index>(*device_, 4000, count, columns);
        }
}

TEST_P(GpuDevice, AnEmptyMessageIsNothing) {
    const auto where = device_->buffer<Index>(0);
    Buffer<float> field = device_->buffer<float>(10);
    const auto staging = device_->staging(0);
    device_->gather(field.storage(), where.storage(), *staging);
    staging->wait();
    device_->scatter(*staging, where.storage(), field.storage());
    EXPECT_EQ(field.download(), std::vector<float>(10, 0.0f));
}

TEST_P(GpuDevice, NumbersBeyondABoundAreFound) {
    for (const Index n : {1u, 100u, 70001u})
        in_both_precisions([&](auto real) {
            using T = decltype(real);
            const Range range{n / 3, n - n / 5};
            const auto cpu = test::make_device("cpu");
            for (Device* const device : {device_.get(), cpu.get()}) {
                std::vector<T> values = random_values<T>(n, 5);
                Buffer<T> x = device->buffer<T>(std::span<const T>(values));
                const auto with = [&](Index at, T value) {
                    std::vector<T> changed = values;
                    changed[at] = value;
                    x.upload(changed);
                };
                EXPECT_FALSE(any_above(*device, x, range, 1));
                EXPECT_FALSE(any_above(*device, x, Range{0, 0}, 0));
                for (const Index at : {range.begin, range.end - 1}) {
                    with(at, T(-1.5));
                    EXPECT_FALSE(any_above(*device, x, range, 1.5));
                    EXPECT_TRUE(any_above(*device, x, range, 1.4375));
                    with(at, std::numeric_limits<T>::infinity());
                    EXPECT_TRUE(any_above(*device, x, range, 1e30));
                    with(at, std::numeric_limits<T>::quiet_NaN());
                    EXPECT_TRUE(any_above(*device, x, range, 1e30)) << device->info().kind;
                }
                if (n > 1) {
                    with(range.begin - 1, 2);
                    EXPECT_FALSE(any_above(*device, x, range, 1));
                    with(range.end, 2);
                    EXPECT_FALSE(any_above(*device, x, range, 1));
                }
            }
        });
}

INSTANTIATE_TEST_SUITE_P(All, GpuDevice, testing::Values("compute", "fragment", "cuda"),
                         name_of_device);

}  // namespace
}  // namespace solenoid::test::gpu_device_test
