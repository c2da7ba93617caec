// Kernels that the CPU device computes eight entities at a time, against plain loops, bit by bit.
#include <gtest/gtest.h>

#include "device/device.hpp"
#include "device/kernels.hpp"
#include "device/test_kernels.hpp"
#include "plain_loops.hpp"

namespace solenoid::cpu_kernels_test {
namespace {

using test::expect_bits;
using test::held;
using test::Total;
using test::values;
constexpr Index size = test::loop_size;

template <class T>
class CpuKernelsTest : public testing::Test {};
TYPED_TEST_SUITE(CpuKernelsTest, test::Precisions);

TYPED_TEST(CpuKernelsTest, ConjugateGradientStepsAsInAPlainLoop) {
    using T = TypeParam;
    const auto device = make_cpu_device();
    const std::vector<T> p = values<T>(1), q = values<T>(2);
    const Buffer<T> given_p = held(*device, p), given_q = held(*device, q);
    const T alpha = T(0.3);
    for (const Range range : test::loop_ranges) {
        std::vector<T> x = values<T>(3), r = values<T>(4);
        Buffer<T> held_x = held(*device, x), held_r = held(*device, r);
        const double rr =
            kernels::CgStep<T>{.p = given_p, .q = given_q, .x = held_x, .r = held_r, .alpha = alpha}
                .run(ThisRank(), *device, range)
                .rr;
        Total total;
        for (Index i = range.begin; i < range.end; ++i) {
            x[i] = x[i] + alpha * p[i];
            r[i] = r[i] - alpha * q[i];
            total.add(i, double(r[i]) * double(r[i]));
        }
        expect_bits(held_x.download(), x);
        expect_bits(held_r.download(), r);
        EXPECT_EQ(rr, total.result());
    }
}

// Numbers of both widths, quotients with nothing below, and a uniform that is -0.
TYPED_TEST(CpuKernelsTest, ElementwiseArithmeticIsAPlainLoops) {
    using T = TypeParam;
    const auto device = make_cpu_device();
    const std::vector<T> x = values<T>(5);
    std::vector<float> d = values<float>(6);
    for (Index i = 0; i < size; i += 5) d[i] = 0;
    const Buffer<T> given_x = held(*device, x);
    const Buffer<float> given_d = held(*device, d);
    for (const T a : {T(0.7), T(-0.0)})
        for (const Range range : test::loop_ranges) {
            std::vector<T> y = values<T>(7);
            for (Index i = 0; i < size; i += 3) y[i] = -T(0);
            std::vector<float> z = values<float>(8);
            Buffer<T> held_y = held(*device, y);
            Buffer<float> held_z = held(*device, z);
            const auto sums =
                test_kernels::ProbeElementwise<T>{
                    .x = given_x, .d = given_d, .y = held_y, .z = held_z, .a = a}
                    .run(ThisRank(), *device, range);
            Total total, yd;
            for (Index i = range.begin; i < range.end; ++i) {
                const T scaled = (d[i] == 0 ? T(0) : x[i] / T(d[i])) / (T(3) + a);
                y[i] = y[i] - a * scaled;
                z[i] = static_cast<float>(y[i]) * d[i];
                total.add(i, y[i]);
                yd.add(i, double(y[i]) * double(d[i]));
            }
            expect_bits(held_y.download(), y);
            expect_bits(held_z.download(), z);
            EXPECT_EQ(sums.total, total.result());
            EXPECT_EQ(sums.yd, yd.result());
        }
}

}  // namespace
}  // namespace solenoid::cpu_kernels_test
