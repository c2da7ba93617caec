// exp, log and pow of kernels and expressions against those of long doubles, on every device and in
// both precisions.
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <random>

#include "device/expression.hpp"
#include "device/gl/gl_device.hpp"
#include "device/test_kernels.hpp"
#include "plain_loops.hpp"

namespace solenoid::elementary_functions_test {
namespace {

using test::held;
using test::on_every_device;

template <class T>
using Limits = std::numeric_limits<T>;

constexpr double greatest_error = 1.2;  // units in the last place

// |computed - exact| in units in the last place of the exact value. What is below the least normal
// number is 0, what is above the greatest infinite; within the greatest error of either limit both
// sides of it are right.
template <class T>
double error_of(T computed, long double exact) {
    const long double least = Limits<T>::min(), most = Limits<T>::max(),
                      slack = greatest_error * Limits<T>::epsilon();
    if (std::isnan(computed)) return Limits<double>::infinity();
    if (std::abs(exact) < least && computed == 0) return 0;
    if (std::abs(exact) < least * (1 - slack)) return Limits<double>::infinity();
    if (exact > most * (1 - slack) && std::isinf(computed) && computed > 0) return 0;
    int exponent;
    std::frexp(exact, &exponent);
    return static_cast<double>(std::abs(computed - exact) /
                               std::ldexp(1.0L, exponent - Limits<T>::digits));
}

template <class T>
struct Samples {
    std::vector<T> x, y;                                     // x > 0 and normal
    std::vector<long double> exponential, logarithm, power;  // exact: the same on every device
    void evaluate() {
        for (std::size_t i = 0; i < x.size(); ++i) {
            exponential.push_back(std::exp(static_cast<long double>(y[i])));
            logarithm.push_back(std::log(static_cast<long double>(x[i])));
            power.push_back(std::pow(static_cast<long double>(x[i]), y[i]));
        }
    }
    void add(T a, T b) {
        if (!(a >= Limits<T>::min()) || std::isinf(a) || (b != 0 && !std::isnormal(b))) return;
        x.push_back(a);
        y.push_back(b);
    }
};

// Numbers of every size: x from the least to the greatest and as near 1 as they come; y where e^y,
// then where x^y is a number, and a little beyond; y of every size; where the reduction of
// arguments turns over.
template <class T>
Samples<T> samples() {
    Samples<T> result;
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> unit(0, 1);
    const double low = std::log(double(Limits<T>::min())),
                 high = std::log(double(Limits<T>::max()));
    const auto between = [&] { return 1.02 * (low + (high - low) * unit(generator)); };
    const auto sign = [&] { return unit(generator) < 0.5 ? -1.0 : 1.0; };
    for (int i = 0; i < 100'000; ++i) {
        const T anywhere = static_cast<T>(std::exp(between() / 1.02));
        const T near_one =
            static_cast<T>(1 + sign() * std::exp2(-Limits<T>::digits * unit(generator)));
        const T of_any_size = static_cast<T>(sign() * std::exp(between() / 1.02));
        result.add(anywhere, static_cast<T>(between()));
        result.add(near_one, of_any_size);
        result.add(anywhere, static_cast<T>(3 * sign() * unit(generator)));
        for (const T x : {anywhere, near_one})
            if (x != 1) result.add(x, static_cast<T>(between() / std::log(double(x))));
    }
    for (int k = -1100; k < 1100; ++k)
        for (int ulps = -3; ulps <= 3; ++ulps) {
            const T midpoint = static_cast<T>((k + 0.5) * std::log(2.0)),
                    root = static_cast<T>(std::ldexp(std::sqrt(0.5), k));
            result.add(root * (1 + ulps * Limits<T>::epsilon()),
                       midpoint * (1 + ulps * Limits<T>::epsilon()));
        }
    for (int ulps = 0; ulps < 100; ++ulps)
        for (const T y : {Limits<T>::max(), T(1), T(0), -Limits<T>::min(), -Limits<T>::max()}) {
            result.add(1 + ulps * Limits<T>::epsilon(), y);
            result.add(1 - ulps * Limits<T>::epsilon() / 2, y);
            result.add(Limits<T>::max() * (1 - ulps * Limits<T>::epsilon()), y);
            result.add(Limits<T>::min() * (1 + ulps * Limits<T>::epsilon()), y);
        }
    return result;
}

template <class T>
struct Results {
    std::vector<T> exponential, logarithm, power;
};

template <class T>
Results<T> by_kernel(Device& device, const std::vector<T>& x, const std::vector<T>& y) {
    const Index count = static_cast<Index>(x.size());
    const Buffer<T> held_x = held(device, x), held_y = held(device, y);
    Buffer<T> exponential = device.buffer<T>(count), logarithm = device.buffer<T>(count),
              power = device.buffer<T>(count);
    test_kernels::ProbeFunctions<T>{.x = held_x,
                                    .y = held_y,
                                    .exponential = exponential,
                                    .logarithm = logarithm,
                                    .power = power}
        .run(device, {0, count});
    return {exponential.download(), logarithm.download(), power.download()};
}

template <class T>
Results<T> by_expression(Device& device, const std::vector<T>& x, const std::vector<T>& y) {
    const Index count = static_cast<Index>(x.size());
    const Buffer<T> held_x = held(device, x), held_y = held(device, y);
    Buffer<T> exponential = device.buffer<T>(count), logarithm = device.buffer<T>(count),
              power = device.buffer<T>(count);
    const Over over(device, {0, count});
    over[exponential] = exp(held_y);
    over[logarithm] = ln(held_x);
    over[power] = pow(held_x, held_y);
    return {exponential.download(), logarithm.download(), power.download()};
}

template <class T>
void expect_exact(const char* name, const Samples<T>& samples, const Results<T>& computed) {
    double of_exp = 0, of_log = 0, of_pow = 0;
    for (std::size_t i = 0; i < samples.x.size(); ++i) {
        of_exp = std::max(of_exp, error_of(computed.exponential[i], samples.exponential[i]));
        of_log = std::max(of_log, error_of(computed.logarithm[i], samples.logarithm[i]));
        of_pow = std::max(of_pow, error_of(computed.power[i], samples.power[i]));
    }
    std::printf("%s, %s, %zu samples, units in the last place: exp %.3f, log %.3f, pow %.3f\n",
                name, sizeof(T) == 8 ? "double" : "float", samples.x.size(), of_exp, of_log,
                of_pow);
    EXPECT_LE(of_exp, greatest_error);
    EXPECT_LE(of_log, greatest_error);
    EXPECT_LE(of_pow, greatest_error);
}

template <class T>
class ElementaryFunctionsTest : public testing::Test {};
TYPED_TEST_SUITE(ElementaryFunctionsTest, test::Precisions);

TYPED_TEST(ElementaryFunctionsTest, AreExactToAUnitInTheLastPlace) {
    Samples<TypeParam> given = samples<TypeParam>();
    given.evaluate();
    on_every_device([&](Device& device) {
        expect_exact((device.info().kind + " kernel").c_str(), given,
                     by_kernel(device, given.x, given.y));
        expect_exact((device.info().kind + " expression").c_str(), given,
                     by_expression(device, given.x, given.y));
    });
}

// Quotients of the software renderer are rounded as the processor's.
TYPED_TEST(ElementaryFunctionsTest, HaveTheSameBitsOnEveryDevice) {
    const Samples<TypeParam> given = samples<TypeParam>();
    const Results<TypeParam> expected = by_kernel(*test::make_device("cpu"), given.x, given.y);
    on_every_device([&](Device& device) {
        const Results<TypeParam> computed = by_kernel(device, given.x, given.y);
        test::expect_bits(computed.exponential, expected.exponential);
        test::expect_bits(computed.logarithm, expected.logarithm);
        test::expect_bits(computed.power, expected.power);
    });
}

TYPED_TEST(ElementaryFunctionsTest, OfSpecialValues) {
    using T = TypeParam;
    const T infinity = Limits<T>::infinity(), nan = Limits<T>::quiet_NaN(), most = Limits<T>::max(),
            below_one = 1 - Limits<T>::epsilon() / 2;
    struct Case {
        T x, y, exponential, logarithm, power;
    };
    const auto exp = [](long double v) { return static_cast<T>(std::exp(v)); };
    const auto log = [](long double v) { return static_cast<T>(std::log(v)); };
    const Case cases[] = {
        {0, 0, 1, -infinity, 1},
        {-T(0), 2, exp(2), -infinity, 0},
        {0, -infinity, 0, -infinity, infinity},
        {0, infinity, infinity, -infinity, 0},
        {1, infinity, infinity, 0, 1},
        {1, -infinity, 0, 0, 1},
        {1, nan, nan, 0, 1},
        {nan, 0, 1, nan, 1},
        {nan, -infinity, 0, nan, nan},
        {2, nan, nan, log(2), nan},
        {infinity, most, infinity, infinity, infinity},
        {infinity, -most, 0, infinity, 0},
        {infinity, -T(0), 1, infinity, 1},
        {2, infinity, infinity, log(2), infinity},
        {2, -infinity, 0, log(2), 0},
        {T(0.5), infinity, infinity, log(0.5), 0},
        {T(0.5), -infinity, 0, log(0.5), infinity},
        {below_one, infinity, infinity, log(below_one), 0},
        {below_one, -most, 0, log(below_one), infinity},
        {-1, 2, exp(2), nan, nan},
        {-infinity, 1, exp(1), nan, nan},
        {-most, -1, exp(-1), nan, nan},
        {Limits<T>::denorm_min(), 1, exp(1), -infinity, 0},
        {Limits<T>::min() / 2, T(-0.5), exp(-0.5L), -infinity, infinity},
    };
    std::vector<T> x, y;
    for (const Case& c : cases) {
        x.push_back(c.x);
        y.push_back(c.y);
    }
    const auto expect = [&](T computed, T expected, std::size_t i, const char* function) {
        SCOPED_TRACE(std::string(function) + " of " + std::to_string(x[i]) + ", " +
                     std::to_string(y[i]));
        if (std::isfinite(expected))
            EXPECT_NEAR(computed, expected, Limits<T>::epsilon() * std::abs(expected));
        else if (std::isnan(expected))
            EXPECT_TRUE(std::isnan(computed)) << computed;
        else
            EXPECT_EQ(computed, expected);
    };
    on_every_device([&](Device& device) {
        for (const Results<T>& computed : {by_kernel(device, x, y), by_expression(device, x, y)})
            for (std::size_t i = 0; i < x.size(); ++i) {
                expect(computed.exponential[i], cases[i].exponential, i, "exp");
                expect(computed.logarithm[i], cases[i].logarithm, i, "log");
                expect(computed.power[i], cases[i].power, i, "pow");
            }
    });
}

TEST(ElementaryFunctions, AreThereWithoutDoubles) {
    setenv("SOLENOID_GL_SOFTWARE", "1", 0);
    setenv("SOLENOID_GL_NO_FP64", "1", 1);
    const auto context = gl::Context::create();
    unsetenv("SOLENOID_GL_NO_FP64");
    Samples<float> given = samples<float>();
    given.evaluate();
    expect_exact("compute kernel without doubles", given,
                 by_kernel(*make_compute_device(context), given.x, given.y));
    expect_exact("fragment kernel without doubles", given,
                 by_kernel(*make_fragment_device(context), given.x, given.y));
}

// As a power law's viscosity has it: numbers and vectors, floats among doubles.
TYPED_TEST(ElementaryFunctionsTest, MeetNumbersAndVectorsInExpressions) {
    using T = TypeParam;
    const std::vector<T> u = test::values<T>(1, 3);
    const std::vector<float> weight = test::values<float>(2);
    on_every_device([&](Device& device) {
        const Buffer<T> held_u = held(device, u, 3);
        const Buffer<float> held_weight = held(device, weight);
        Buffer<T> viscosity = device.buffer<T>(test::loop_size);
        Over(device, {0, test::loop_size})[viscosity] =
            exp(0.5 * held_weight) * pow(square(held_u), -0.35);
        const std::vector<T> computed = viscosity.download();
        for (Index i = 0; i < test::loop_size; ++i) {
            long double shear = 0;
            for (int k = 0; k < 3; ++k)
                shear += (long double)(u[k * test::loop_size + i]) * u[k * test::loop_size + i];
            const long double exact =
                std::exp(0.5L * weight[i]) * std::pow(shear, (long double)(T(-0.35)));
            ASSERT_NEAR(computed[i], double(exact), 8 * Limits<T>::epsilon() * double(exact)) << i;
        }
    });
}

}  // namespace
}  // namespace solenoid::elementary_functions_test
