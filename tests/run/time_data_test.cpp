// Formulas of t before and in a run: their jumps, and steps that follow them.
#include "run/time_data.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/time_parts.hpp"
#include "mesh/box.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"
#include "run/sample_points.hpp"
#include "support/saved_states.hpp"

namespace solenoid::time_data_test {
namespace {

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

// A pulse that falls between the samples of the whole run is met by those of a step.
TEST_F(TimeDataTest, LooksWithinSteps) {
    int seen = 0;
    for (int k = 0; k < 10; ++k) {
        const double begin = 5 + 1.0 / 4096 * (0.3 + 0.01 * k) * 10, width = 1e-5 * 10;
        TimeData d = data("t > " + std::to_string(begin) + " && t < " +
                              std::to_string(begin + width) + " ? 1 : 0",
                          10);
        if (!d.breaks().empty()) continue;
        ++seen;
        for (double t = begin - 0.01; t < begin + 0.01;)
            t += std::max(1e-9, d.longest_step(t, 5e-4));
        EXPECT_EQ(d.breaks().size(), 2u) << k;
    }
    EXPECT_GT(seen, 0);
}

// What was found within steps is of one formula up to one end: of others it is not taken up.
TEST_F(TimeDataTest, TakesUpItsOwnSamplesAlone) {
    std::optional<test::SavedState> saved;
    std::string formula;
    for (int k = 0; k < 10 && !saved; ++k) {
        const double begin = 5 + 1.0 / 4096 * (0.3 + 0.01 * k) * 10, width = 1e-5 * 10;
        formula = "(t > " + std::to_string(begin) + " && t < " + std::to_string(begin + width) +
                  " ? 1 : 0) + (t > 10.5 ? sin(40*t) : 0)";
        TimeData d = data(formula, 10);
        if (!d.breaks().empty()) continue;
        for (double t = begin - 0.01; t < begin + 0.01;)
            t += std::max(1e-9, d.longest_step(t, 5e-4));
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
