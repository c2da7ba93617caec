// Vector expressions against plain loops, bit by bit, on every device and in both precisions.
#include "device/expression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "device/timed_device.hpp"
#include "plain_loops.hpp"

namespace solenoid::expression_test {
namespace {

using test::expect_bits;
using test::held;
using test::on_every_device;
using test::Total;
using test::values;
constexpr Index size = test::loop_size;

// On the CPU to the bit; other devices add up in another order, and a repeated sum has the same
// bits.
void expect_sum(Device& device, double computed, double again, double expected) {
    EXPECT_EQ(computed, again);
    if (device.info().kind == "cpu")
        EXPECT_EQ(computed, expected);
    else
        EXPECT_NEAR(computed, expected, 1e-11);
}

template <class T>
class ExpressionTest : public testing::Test {};
TYPED_TEST_SUITE(ExpressionTest, test::Precisions);

TYPED_TEST(ExpressionTest, NumbersAreAPlainLoops) {
    using T = TypeParam;
    const std::vector<T> x = values<T>(1), y = values<T>(2);
    on_every_device([&](Device& device) {
        const Buffer<T> held_x = held(device, x), held_y = held(device, y);
        const T a = T(0.3), b = T(-1.7);
        for (const Range range : test::loop_ranges) {
            const Over over(device, range);
            std::vector<T> z = values<T>(3);
            Buffer<T> held_z = held(device, z);
            over[held_z] = a * held_x + b * (held_y - held_x) / (3 + held_x);
            for (Index i = range.begin; i < range.end; ++i)
                z[i] = a * x[i] + b * (y[i] - x[i]) / (T(3) + x[i]);
            expect_bits(held_z.download(), z);
            over[held_z] += b * held_x;  // in place
            for (Index i = range.begin; i < range.end; ++i) z[i] = z[i] + b * x[i];
            expect_bits(held_z.download(), z);
            over[held_z] = -held_z * held_z - a * held_z;
            for (Index i = range.begin; i < range.end; ++i) z[i] = -z[i] * z[i] - a * z[i];
            expect_bits(held_z.download(), z);
            over[held_z] = 0.25;
            std::fill(z.begin() + range.begin, z.begin() + range.end, T(0.25));
            expect_bits(held_z.download(), z);
            over[held_z] = held_x;
            std::copy(x.begin() + range.begin, x.begin() + range.end, z.begin() + range.begin);
            expect_bits(held_z.download(), z);
        }
    });
}

TYPED_TEST(ExpressionTest, FunctionsAreAPlainLoops) {
    using T = TypeParam;
    const std::vector<T> x = values<T>(4);
    std::vector<T> y = values<T>(5);
    for (Index i = 0; i < size; i += 5) y[i] = 0;
    on_every_device([&](Device& device) {
        const Buffer<T> held_x = held(device, x), held_y = held(device, y);
        Buffer<T> held_z = device.buffer<T>(size);
        const Over over(device, {0, size});
        std::vector<T> z(size);
        const auto expect = [&](const auto& expected) {
            for (Index i = 0; i < size; ++i) z[i] = expected(x[i], y[i]);
            expect_bits(held_z.download(), z);
        };
        over[held_z] = max(abs(held_x), 2 * abs(held_y));
        expect([](T a, T b) { return std::max(std::abs(a), 2 * std::abs(b)); });
        over[held_z] = min(held_x, 0.5);
        expect([](T a, T) { return std::min(a, T(0.5)); });
        over[held_z] = quotient(held_x, held_y);
        expect([](T a, T b) { return b == 0 ? T(0) : a / b; });
        over[held_z] = where(held_x > held_y, held_x / (held_x - held_y), 0);
        expect([](T a, T b) { return a > b ? a / (a - b) : T(0); });
        if (device.info().kind != "cpu") return;  // a GPU's square roots may be off by a bit
        over[held_z] = sqrt(abs(held_x));
        expect([](T a, T) { return std::sqrt(std::abs(a)); });
    });
}

// Component by component; what has one column meets each of them.
TYPED_TEST(ExpressionTest, VectorsAreAPlainLoops) {
    using T = TypeParam;
    for (int d : {2, 3}) {
        const std::vector<T> x = values<T>(6, d), y = values<T>(7, d), w = values<T>(8);
        on_every_device([&](Device& device) {
            const Buffer<T> held_x = held(device, x, d), held_y = held(device, y, d),
                            held_w = held(device, w);
            const T s = T(0.7);
            for (const Range range : test::loop_ranges) {
                std::vector<T> u = values<T>(9, d);
                Buffer<T> held_u = held(device, u, d);
                const Over over(device, range);
                over[held_u] = held_x - s * (held_y - held_u) + (s / held_w) * held_y;
                for (int k = 0; k < d; ++k)
                    for (Index i = range.begin; i < range.end; ++i) {
                        const std::size_t at = std::size_t(k) * size + i;
                        u[at] = x[at] - s * (y[at] - u[at]) + (s / w[i]) * y[at];
                    }
                expect_bits(held_u.download(), u);
                over[held_u] = held_w;
                for (int k = 0; k < d; ++k)
                    std::copy(w.begin() + range.begin, w.begin() + range.end,
                              u.begin() + k * size + range.begin);
                expect_bits(held_u.download(), u);
            }
        });
    }
}

TYPED_TEST(ExpressionTest, ColumnsAreReadAndWritten) {
    using T = TypeParam;
    const int d = 3;
    const std::vector<T> x = values<T>(10, d), w = values<T>(11);
    on_every_device([&](Device& device) {
        const Buffer<T> held_x = held(device, x, d), held_w = held(device, w);
        std::vector<T> u = values<T>(12, d), z(size);
        Buffer<T> held_u = held(device, u, d), held_z = device.buffer<T>(size);
        const Over over(device, {5, size - 3});
        const auto at = [](int k, Index i) { return std::size_t(k) * size + i; };
        for (int k : {2, 0, 1}) {
            over[column(held_u, k)] += column(held_x, (k + 1) % d) * held_w;
            over[held_z] = 2 * column(held_u, k);
            for (Index i = 5; i < size - 3; ++i) {
                u[at(k, i)] = u[at(k, i)] + x[at((k + 1) % d, i)] * w[i];
                z[i] = 2 * u[at(k, i)];
            }
            expect_bits(held_z.download(), z);
        }
        expect_bits(held_u.download(), u);
        over[column(held_u, 1)] =
            column(held_u, 0) - column(held_u, 2);  // of other columns of the same buffer
        over[column(held_u, 0)] = dot(held_x, held_x);
        for (Index i = 5; i < size - 3; ++i) {
            u[at(1, i)] = u[at(0, i)] - u[at(2, i)];
            u[at(0, i)] =
                x[at(0, i)] * x[at(0, i)] + x[at(1, i)] * x[at(1, i)] + x[at(2, i)] * x[at(2, i)];
        }
        expect_bits(held_u.download(), u);
    });
}

TYPED_TEST(ExpressionTest, FloatsMeetDoublesInDouble) {
    const std::vector<TypeParam> x = values<TypeParam>(13);
    const std::vector<float> y = values<float>(14);
    on_every_device([&](Device& device) {
        const Buffer<TypeParam> held_x = held(device, x);
        const Buffer<float> held_y = held(device, y);
        Buffer<float> rounded = device.buffer<float>(size);
        Buffer<TypeParam> widened = device.buffer<TypeParam>(size);
        const Over over(device, {0, size});
        over[rounded] = 0.3 * held_x + held_y;
        over[widened] = 0.3 * held_y;
        std::vector<float> expected_rounded(size);
        std::vector<TypeParam> expected_widened(size);
        for (Index i = 0; i < size; ++i) {
            expected_rounded[i] = static_cast<float>(TypeParam(0.3) * x[i] + y[i]);
            expected_widened[i] = TypeParam(0.3) * y[i];
        }
        expect_bits(rounded.download(), expected_rounded);
        expect_bits(widened.download(), expected_widened);
    });
}

TYPED_TEST(ExpressionTest, SumsAreThoseOfTheKernels) {
    using T = TypeParam;
    const std::vector<T> x = values<T>(15), y = values<T>(16), w = values<T>(17);
    on_every_device([&](Device& device) {
        const Buffer<T> held_x = held(device, x), held_y = held(device, y),
                        held_w = held(device, w);
        for (const Range range : test::loop_ranges) {
            const Over over(device, range);
            Total xy, wxy, wide, both, quotients;
            for (Index i = range.begin; i < range.end; ++i) {
                xy.add(i, double(x[i]) * double(y[i]));
                wxy.add(i, double(w[i] * x[i]) * double(y[i]));
                wide.add(i, x[i]);
                both.add(i, double(x[i]) * double(x[i]) + double(y[i]) * double(y[i]));
                quotients.add(i, double(T(2) * (y[i] == 0 ? T(0) : x[i] / y[i])));
            }
            const auto same = [&](const auto& compute, Total& expected) {
                expect_sum(device, compute(), compute(), expected.result());
            };
            same([&] { return over.dot(ThisRank(), held_x, held_y); }, xy);
            same([&] { return over.dot(ThisRank(), held_w * held_x, held_y); }, wxy);
            same([&] { return over.sum(ThisRank(), held_x); }, wide);
            same(
                [&] {
                    return over.sum(ThisRank(), product(held_x, held_x) + product(held_y, held_y));
                },
                both);
            if (device.info().kind == "cpu")
                same([&] { return over.sum(ThisRank(), 2 * quotient(held_x, held_y)); }, quotients);
        }
    });
}

TYPED_TEST(ExpressionTest, SeveralReductionsInOnePass) {
    using T = TypeParam;
    for (int d : {1, 2, 3}) {
        const std::vector<T> x = values<T>(18, d), y = values<T>(19, d), w = values<T>(20);
        on_every_device([&](Device& device) {
            const Buffer<T> held_x = held(device, x, d), held_y = held(device, y, d),
                            held_w = held(device, w);
            for (const Range range : test::loop_ranges) {
                const auto compute = [&] {
                    return Over(device, range)
                        .reduce(ThisRank(), sum(product(held_w, dot(held_x, held_y))),
                                greatest(square(held_x - held_y)), least(held_w));
                };
                const auto of = compute(), again = compute();
                Total total;
                double most = -std::numeric_limits<double>::infinity(), least = -most;
                for (Index i = range.begin; i < range.end; ++i) {
                    T xy = 0, apart = 0;
                    for (int k = 0; k < d; ++k) {
                        const T a = x[std::size_t(k) * size + i], b = y[std::size_t(k) * size + i];
                        xy = k ? xy + a * b : a * b;
                        apart = k ? apart + (a - b) * (a - b) : (a - b) * (a - b);
                    }
                    total.add(i, double(w[i]) * double(xy));
                    most = std::max(most, double(apart));
                    least = std::min(least, double(w[i]));
                }
                expect_sum(device, of[0], again[0], total.result());
                EXPECT_EQ(of[1], most);
                EXPECT_EQ(of[2], least);
            }
        });
    }
}

TYPED_TEST(ExpressionTest, MistakesAreRefused) {
    using T = TypeParam;
    on_every_device([&](Device& device) {
        Buffer<T> number = device.buffer<T>(100), shorter = device.buffer<T>(99),
                  plane = device.buffer<T>(100, 2), space = device.buffer<T>(100, 3);
        const Over over(device, {0, 100});
        const auto expect = [](const auto& mistake, const char* message) {
            try {
                mistake();
                FAIL() << "not refused: " << message;
            } catch (const std::logic_error& error) {
                EXPECT_STREQ(error.what(), message);
            }
        };
        expect([&] { over[number] = number + 2 * shorter; },
               "y = (v0 + (s0 * v1)): v1 has 99 entities, the range ends at 100");
        expect([&] { over[shorter] = number; }, "y = v0: y has 99 entities, the range ends at 100");
        expect([&] { over[space] = space - plane; },
               "y = (v0 - v1): v1 has 2 columns, others have 3");
        expect([&] { over[plane] = 2 * space; }, "y = (s0 * v0): y has 2 columns, others have 3");
        expect([&] { over[number] = plane; }, "y = v0: a vector is no value of one column");
        expect([&] { over[plane] = column(plane, 0) * plane; },
               "y = (v0 * v1): reads other columns of what it writes");
        expect([&] { over[column(plane, 2)] = number; }, "y = v0: y: no column 2 of 2");
        expect([&] { over.sum(ThisRank(), plane); },
               "t0 = v0; r0 = wide(t0): a reduction takes one number an entity, such as dot(x, y) "
               "of vectors");
    });
}

TEST(Expression, KernelsAreTimedByTheirFormula) {
    TimedDevice device(make_cpu_device());
    Buffer<double> x = device.buffer<double>(100), y = device.buffer<double>(100);
    Over(device, {0, 50})[x] += 2 * y;
    ASSERT_EQ(device.times().size(), 1u);
    EXPECT_EQ(device.times()[0].kernel, "y = (v0 + (s0 * v1))");
    EXPECT_EQ(device.times()[0].bytes, 3 * 8 * 100);
}

}  // namespace
}  // namespace solenoid::expression_test
