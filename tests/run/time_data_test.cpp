// Formulas of t before and in a run: their jumps, and steps that follow them.
#include "run/time_data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "core/time_parts.hpp"
#include "core/timer.hpp"
#include "mesh/box.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"
#include "run/sample_points.hpp"
#include "support/saved_states.hpp"

namespace solenoid::time_data_test {
namespace {

// What is never true, and would take long to know from bounds.
const std::string hard = " + (sin(1e7*t)^2 + cos(1e7*t)^2 > 1.5 ? 1 : 0)";
// Beside which every part of the time is as unknown as any other.
const std::string unbounded = "1e-30/(sin(1e7*t)^2 + cos(1e7*t)^2 - 1.5) + ";

class TimeDataTest : public testing::Test {
  protected:
    TimeData data(const std::string& formula, double end, double followed = 0.01,
                  std::vector<Vec3> points = {Vec3(0)}) {
        TimeSettings time;
        time.steady = false;
        time.end = end;
        return {comm,
                {{"test.datum", Formula(formula, "case.toml:7"), std::move(points)}},
                time,
                followed};
    }
    std::vector<double> instants(const TimeData& data) {
        std::vector<double> times;
        for (const TimeData::Break& b : data.breaks()) times.push_back(b.instant);
        return times;
    }
    const Communicator comm = Communicator::world();
};

TEST_F(TimeDataTest, FindsEveryJumpOfATrain) {
    const auto found = instants(data("(t - 60*floor(t/60) < 20) ? 1e6 : 0", 3601));
    std::vector<double> expected;
    for (int k = 0; k <= 60; ++k) {
        if (k > 0) expected.push_back(60 * k);
        if (k < 60) expected.push_back(60 * k + 20);
    }
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-11);
}

// Whatever the samples, down to a billionth of the run; an instant is right to the rounding of t.
TEST_F(TimeDataTest, FindsJumpsOfAnyLength) {
    struct Example {
        std::string formula;
        std::vector<double> instants;
    };
    const double pi = std::acos(-1.0);
    std::vector<Example> examples{
        {"t > 3 && t < 3 + 1e-8 ? 1 : 0", {3, 3 + 1e-8}},
        {"300 + (t >= 3)*(t <= 3 + 1e-8)", {3, 3 + 1e-8}},
        {"abs(t - 3) < 1e-8 ? 1 : 0", {3 - 1e-8, 3 + 1e-8}},
        {"max(0, sign(1e-8 - abs(t - 3)))", {3 - 1e-8, 3 + 1e-8}},
        {"floor(0.5 + t/6 + 1e-8) - floor(0.5 + t/6 - 1e-8)",
         {3 - 6e-8, 3 + 6e-8, 9 - 6e-8, 9 + 6e-8}},
        {"rint(t/6 + 1e-8) - rint(t/6 - 1e-8)", {3 - 6e-8, 3 + 6e-8, 9 - 6e-8, 9 + 6e-8}},
        {"ceil((t - 3)*1e8) == 1 ? 5 : 2", {3, 3 + 1e-8}},
        {"min(exp(t) > exp(3), 3 + 1e-8 > t)", {3, 3 + 1e-8}},
        {"t < 3 || t > 3 + 1e-8 ? t/10 : 7", {3, 3 + 1e-8}},
        {"x*(t > 3 && t < 3 + 1e-8)", {3, 3 + 1e-8}}};
    const double half = std::acos(0.9999999999) / pi;  // about 4.5e-6
    Example crests{"cos(pi*(t - 0.5)) > 0.9999999999", {}};
    for (int k = 0; k < 5; ++k)
        crests.instants.insert(crests.instants.end(), {2 * k + 0.5 - half, 2 * k + 0.5 + half});
    examples.push_back(crests);
    for (const Example& example : examples) {
        const auto found = instants(data(example.formula, 10, 0.01, {Vec3(0.5, 0, 0)}));
        ASSERT_EQ(found.size(), example.instants.size()) << example.formula;
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_NEAR(found[i], example.instants[i],
                        example.formula == crests.formula ? 1e-11 : 8e-15)
                << example.formula;
    }
}

// A pulse of a billionth of the run lasts as long between the steps that end and start there.
TEST_F(TimeDataTest, LosesNoTimeAtJumps) {
    for (const double begin : {0.4003, 3.0, 9.1})
        for (const double width : {1e-2, 1e-5, 1e-8}) {
            const TimeData d =
                data(fmt::format("t > {0} && t < {0} + {1} ? 1 : 0", begin, width), 10);
            ASSERT_EQ(d.breaks().size(), 2u);
            EXPECT_NEAR(d.next_stop(d.breaks()[0].after) - d.breaks()[0].after, width, 1e-6 * 1e-8);
        }
}

TEST_F(TimeDataTest, HasTheValuesOfBothSides) {
    const auto f = [](double t) { return t >= 0.7 ? 1.0 : 0.0; };
    TimeData d = data("t >= 0.7 ? 1 : 0", 2);
    ASSERT_EQ(d.breaks().size(), 1u);
    const TimeData::Break b = d.breaks().front();
    EXPECT_EQ(f(b.before), 0);
    EXPECT_EQ(f(b.after), 1);
    EXPECT_EQ(b.instant, 0.7);
    EXPECT_LT(b.after - b.before, 1e-13);
    EXPECT_EQ(d.next_stop(0), b.before);
    EXPECT_EQ(d.break_at(0.5), nullptr);
    EXPECT_NE(d.break_at(b.before), nullptr);
    EXPECT_NE(d.break_at(b.instant), nullptr);
    EXPECT_EQ(d.break_at(b.after), nullptr);
    EXPECT_EQ(d.next_stop(b.instant), HUGE_VAL);
    EXPECT_LE(d.longest_step(0, 2), b.before);
}

TEST_F(TimeDataTest, ChangesForTheLastTime) {
    EXPECT_EQ(data("3", 10).last_change(), 0);
    EXPECT_EQ(data("0*t + 3", 10).last_change(), 0);
    EXPECT_NEAR(data("t < 4 ? 1 : 2", 10).last_change(), 4, 1e-12);
    EXPECT_NEAR(data("min(t, 1)", 1000).last_change(), 1, 0.01);
    // the last hundredth of the range of exp(-t) is left at t = ln 100
    EXPECT_GT(data("exp(-t)", 100).last_change(), std::log(100));
    EXPECT_LT(data("exp(-t)", 100).last_change(), 20);
    for (const char* formula : {"t", "sin(t)", "t < 10 ? 1 : 2"})
        EXPECT_EQ(data(formula, 10).last_change(), HUGE_VAL) << formula;
}

TEST_F(TimeDataTest, OfASmoothFunctionHasNone) {
    for (const char* formula : {"sin(2*pi*t)", "exp(-((t-5)/0.05)^2)", "abs(sin(3*t))",
                                "max(0, t-4)", "tanh((t-5)/0.001)", "sqrt(t)", "1e-9*t"})
        EXPECT_TRUE(data(formula, 10).breaks().empty()) << formula;
}

// The trapezoidal rule over steps as they are given has the integral, however long the run would
// like its steps.
TEST_F(TimeDataTest, StepsHaveTheIntegral) {
    struct Integrand {
        std::string formula;
        double integral;
    };
    const double pi = std::acos(-1.0);
    for (const Integrand& f :
         {Integrand{"sin(pi*t)^2", 5}, Integrand{"exp(-((t-5)/0.05)^2)", 0.05 * std::sqrt(pi)},
          Integrand{"t > 3 && t < 3.01 ? 1 : 0", 0.01}, Integrand{"max(0, sin(2*pi*t))", 10 / pi},
          Integrand{"exp(-((t-2)/0.02)^2) + exp(-((t-8)/0.02)^2)", 0.04 * std::sqrt(pi)}}) {
        TimeData d = data(f.formula, 10, 1e-3);
        const Formula formula(f.formula, "");
        double t = 0, sum = 0;
        int steps = 0;
        for (; t < 10 * (1 - 1e-12); ++steps) {
            if (const TimeData::Break* b = d.break_at(t)) t = b->after;
            const double step = d.longest_step(t, std::min(10.0, d.next_stop(t)) - t);
            ASSERT_GT(step, 1e-9);
            sum += 0.5 * step * (formula(Vec3(0), t) + formula(Vec3(0), t + step));
            t += step;
        }
        EXPECT_NEAR(sum, f.integral, 0.005 * f.integral) << f.formula << ", " << steps << " steps";
        EXPECT_LT(steps, 2000) << f.formula;
    }
}

// Bells of any length have their area in the sum over steps, by the values at their ends, and in
// the integral over parts of steps.
TEST_F(TimeDataTest, BellsOfAnyLengthHaveTheirArea) {
    struct Bell {
        std::string formula;  // of u
        double area;
    };
    const double pi = std::acos(-1.0);
    for (const Bell& bell :
         {Bell{"exp(-pi*U^2)", 1}, Bell{"(1 - tanh(U)^2)/2", 1}, Bell{"1/cosh(pi*U)", 1},
          Bell{"max(0, 1 - U^2)^3", 32.0 / 35}, Bell{"300 + exp(-pi*U^2)", 1},
          Bell{"1/(1 + U^8)", pi / 4 / std::sin(pi / 8)}})
        for (const double width : {1e-2, 1e-4, 1e-6})
            for (const bool is_integrated : {false, true}) {
                std::string text = bell.formula;
                text.replace(text.find('U'), 1, fmt::format("((t - 3.1)/{})", width));
                const double end = 10, base = bell.formula.find("300") == 0 ? 300 : 0;
                const Formula formula(text, "");
                TimeSettings time;
                time.steady = false;
                time.end = end;
                TimeData d(comm, {{"test.datum", formula, {Vec3(0)}, is_integrated}}, time, 3e-3);
                double sum = 0;
                int steps = 0;
                for (double t = 0; t < end * (1 - 1e-12); ++steps) {
                    const double to = t + d.longest_step(t, end - t);
                    ASSERT_GT(to, t);
                    if (is_integrated)
                        for (const TimePoint& point : quadrature(
                                 [&](double from, double until) { return d.parts(from, until); }, t,
                                 to))
                            sum += point.weight * (formula(Vec3(0), point.t) - base);
                    else
                        sum += (to - t) * (formula(Vec3(0), to) - base);
                    t = to;
                }
                EXPECT_NEAR(sum, bell.area * width, 1e-4 * bell.area * width)
                    << text << ", " << steps << " steps";
                EXPECT_LT(steps, 1500) << text;
            }
}

TEST_F(TimeDataTest, SaysWhatIsNotBounded) {
    testing::internal::CaptureStderr();
    data("exp(-((t - 3)/1e-6)^2) + floor(t/0.37) + sin(9*t)", 10);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    testing::internal::CaptureStderr();
    data("t > 3" + hard, 10);
    const std::string told = testing::internal::GetCapturedStderr();
    if (comm.is_root()) {
        EXPECT_NE(told.find("a change within less may be missed. Take time.step = "), told.npos)
            << told;
    }
}

// Neither endless, nor without a bound of memory.
TEST_F(TimeDataTest, EndsWhateverTheFormula) {
    std::string terms = "t", nested = "t";
    for (int k = 0; k < 3000; ++k) terms += "+t";
    for (int k = 0; k < 190; ++k) nested = "(" + nested + ">0.5?1:0)";
    const Stopwatch watch;
    testing::internal::CaptureStderr();
    for (const std::string& formula :
         {std::string("floor(1e9*t)"), std::string("t*1e9 - floor(1e9*t)"),
          std::string("sin(1e9*t) > 0"), std::string("1/(t - pi)"), std::string("tan(t)"),
          std::string("t^t^t/1e9"), std::string("exp(exp(t)) > 7 ? 1 : 0"),
          std::string("sin(t)^2 + cos(t)^2"), std::string("sin(2*pi*t) >= 1"),
          std::string("t == 3"), terms, nested, hard.substr(3)}) {
        try {
            data(formula, 10);
        } catch (const Error&) {
        }
    }
    for (const double end : {1e-300, 1e300, 1.7e308})
        EXPECT_NO_THROW(data("sin(t) > 0.5 ? 1 : 0", end)) << end;
    testing::internal::GetCapturedStderr();
    EXPECT_LT(watch.seconds(), 20);
}

// By parts of steps of a fixed length, those that are integrated: in how many, falls where a datum
// is straight.
TEST_F(TimeDataTest, PartsOfFixedStepsHaveTheIntegral) {
    struct Integrand {
        std::string formula;
        double integral;
        int most;
    };
    const double pi = std::acos(-1.0);
    for (const Integrand& f :
         {Integrand{"sin(pi*t)^2", 5, 2000},
          Integrand{"exp(-((t-5)/0.05)^2)", 0.05 * std::sqrt(pi), 150},
          Integrand{"t > 3 && t < 3.01 ? 1 : 0", 0.01, 60}, Integrand{"2 + 3*t", 170, 6}}) {
        for (const bool is_integrated : {true, false}) {
            const double end = 10, length = 1.7;
            TimeSettings time;
            time.steady = false;
            time.end = end;
            time.step = length;
            const Formula formula(f.formula, "");
            const TimeData d(comm, {{"test.datum", formula, {Vec3(0)}, is_integrated}}, time, 0.01);
            double sum = 0;
            int parts = 0;
            for (double t = 0; t < end * (1 - 1e-12);) {
                if (const TimeData::Break* b = d.break_at(t)) t = b->after;
                const double to = std::min({t + length, end, d.next_stop(t)});
                for (const TimePoint& point : quadrature(
                         [&](double from, double until) { return d.parts(from, until); }, t, to)) {
                    sum += point.weight * formula(Vec3(0), point.t);
                    ++parts;
                }
                t = to;
            }
            if (!is_integrated) {
                EXPECT_LE(parts, 2 * 8);
                continue;
            }
            EXPECT_NEAR(sum, f.integral, 1e-3 * f.integral) << f.formula;
            EXPECT_LE(parts / 2, f.most) << f.formula;
        }
    }
}

// A pulse that falls between the samples of the whole run, and that bounds do not find, is met by
// those of a step.
TEST_F(TimeDataTest, LooksWithinSteps) {
    int seen = 0;
    for (int k = 0; k < 10; ++k) {
        const double begin = 5 + 1.0 / 4096 * (0.3 + 0.01 * k) * 10, width = 2e-6 * 10;
        TimeData d = data(unbounded + "(t > " + fmt::format("{}", begin) + " && t < " +
                              fmt::format("{}", begin + width) + " ? 1 : 0)",
                          10);
        if (!d.breaks().empty()) continue;
        ++seen;
        for (double t = begin - 0.01; t < begin + 0.01;)
            t += std::max(1e-9, d.longest_step(t, 5e-5));
        EXPECT_EQ(d.breaks().size(), 2u) << k;
    }
    EXPECT_GT(seen, 0);
}

// What was found within steps is of one formula up to one end: of others it is not taken up.
TEST_F(TimeDataTest, TakesUpItsOwnSamplesAlone) {
    std::optional<test::SavedState> saved;
    std::string formula;
    for (int k = 0; k < 10 && !saved; ++k) {
        const double begin = 5 + 1.0 / 4096 * (0.3 + 0.01 * k) * 10, width = 2e-6 * 10;
        formula = unbounded + "(t > " + fmt::format("{}", begin) + " && t < " +
                  fmt::format("{}", begin + width) + " ? 1 : 0) + (t > 10.5 ? sin(40*t) : 0)";
        TimeData d = data(formula, 10);
        if (!d.breaks().empty()) continue;
        for (double t = begin - 0.01; t < begin + 0.01;)
            t += std::max(1e-9, d.longest_step(t, 5e-5));
        ASSERT_EQ(d.breaks().size(), 2u) << k;
        StateRegistry registry;
        d.register_state(StateValues(registry));
        saved.emplace(comm, registry.save());
    }
    ASSERT_TRUE(saved);
    const auto take_up = [&](TimeData& d) {
        StateRegistry registry;
        d.register_state(StateValues(registry));
        const auto unknown =
            registry.load(saved->names(), [&](const StateArray& one) { return saved->read(one); });
        EXPECT_TRUE(unknown.empty());
    };
    TimeData same = data(formula, 10);
    take_up(same);
    EXPECT_EQ(same.breaks().size(), 2u);
    TimeData longer = data(formula, 20);
    take_up(longer);
    const std::vector<double> found = instants(longer);
    EXPECT_TRUE(std::ranges::any_of(found, [](double t) { return std::abs(t - 10.5) < 1e-9; }));
    EXPECT_LT(longer.longest_step(10.4, 1), 0.1 + 1e-9);
    TimeData other = data("t > 3 ? 1 : 0", 10);
    take_up(other);
    ASSERT_EQ(other.breaks().size(), 1u);
    EXPECT_NEAR(other.breaks().front().instant, 3, 1e-9);
}

TEST_F(TimeDataTest, RefusesWhatIsNotFinite) {
    try {
        data("sqrt(5 - t)", 10);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_NE(std::string(error.what()).find("case.toml:7"), std::string::npos) << error.what();
    }
}

// The same points on all ranks, and on any number of them; a front that passes them makes a break
// at each.
TEST_F(TimeDataTest, OfPlaceAndTimeDoesNotDependOnTheRanks) {
    const SimplexMesh box = box_mesh({.dimension = 2, .cells = 300});
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(box) : std::nullopt);
    const Communicator alone = Communicator::self();
    const DistributedMesh whole = distribute(alone, std::optional(box));
    for (const bool of_cells : {true, false}) {
        const SimplexTopology here(mesh), of_all(whole);
        const auto points =
            of_cells ? cell_samples(comm, here) : boundary_samples(comm, here, "xmin");
        EXPECT_EQ(points,
                  of_cells ? cell_samples(alone, of_all) : boundary_samples(alone, of_all, "xmin"));
        EXPECT_GT(points.size(), 5u);
        EXPECT_LE(points.size(), most_sample_points);
    }
    const auto points = cell_samples(comm, SimplexTopology(mesh));
    std::vector<double> expected;
    for (const Vec3& x : points) expected.push_back(x.x);
    std::ranges::sort(expected);
    const auto found = instants(data("x < t ? 1 : 0", 1, 0.01, points));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

}  // namespace
}  // namespace solenoid::time_data_test
