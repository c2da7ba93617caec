// Steps that are taken back: what comes after has the bits of a run that never made them. And the
// errors that tell which.
#include <gtest/gtest.h>

#include <cmath>

#include "support/changing_flows.hpp"

namespace solenoid::take_back_test {
namespace {

using test::FlowProblem, test::RunningFlow, test::problem, test::side;

class TakeBack : public testing::TestWithParam<std::tuple<const char*, const char*, int>> {};
INSTANTIATE_TEST_SUITE_P(All, TakeBack,
                         testing::Combine(testing::Values("exact", "classical"),
                                          testing::Values("bdf2", "midpoint"),
                                          testing::Values(2, 3)),
                         [](const auto& info) {
                             return fmt::format("{}_{}_{}D", std::get<0>(info.param),
                                                std::get<1>(info.param), std::get<2>(info.param));
                         });

// The first step, one in between and one behind a jump of data are tried with other lengths first,
// once with a second step that is taken back by itself.
TEST_P(TakeBack, LeavesNothing) {
    const auto& [method, time_scheme, dimension] = GetParam();
    FlowSettings settings;
    settings.method = method;
    settings.time_scheme = time_scheme;
    for (const FlowProblem& s : test::changing_flows(settings, dimension)) {
        RunningFlow never(s), tried(s);
        const double length = 0.02;
        for (int n = 0; n < 9; ++n) {
            SCOPED_TRACE(fmt::format("{}, step {}", s.name, n));
            for (RunningFlow* one : {&never, &tried})
                if (n == 5) one->made->restart();
            const double next = length * (n % 3 == 2 ? 1.1 : 1);
            tried.made->keep_state();
            if (n != 1 && n != 7) {
                tried.made->step(4 * length);
                tried.made->keep_state();
                tried.made->step(length);
                tried.made->take_back();
                if (n == 3) tried.made->step(0.3 * length);
                tried.made->take_back();
                tried.made->keep_state();
                tried.made->step(0.2 * length);
                tried.made->take_back();
                tried.made->keep_state();
            }
            tried.made->step(next);
            tried.made->let_go();
            never.made->step(next);
            const auto expected = never.results(), found = tried.results();
            ASSERT_EQ(expected.size(), found.size());
            for (std::size_t k = 0; k < found.size(); ++k) {
                ASSERT_EQ(expected[k].size(), found[k].size());
                double apart = 0;
                for (std::size_t i = 0; i < found[k].size(); ++i) {
                    const double difference = std::abs(found[k][i] - expected[k][i]);
                    if (found[k][i] != expected[k][i])
                        apart = std::isfinite(difference) ? std::max(apart, difference) : HUGE_VAL;
                }
                EXPECT_EQ(apart, 0) << "list " << k;
            }
            if (HasFailure()) break;
        }
    }
}

// A fluid at rest, and a pulse of whatever drives it that a step has run into: nothing is left of
// it, not even a rounding.
TEST_P(TakeBack, LeavesAFluidAtRest) {
    const auto& [method, time_scheme, dimension] = GetParam();
    FlowSettings settings;
    settings.method = method;
    settings.time_scheme = time_scheme;
    const std::string bell = "exp(-3*(t-40)^2)";  // less than the least number at 0
    const SimplexMesh periodic =
        test::closed(test::plain_box(dimension, dimension == 2 ? 150 : 400), "x");
    std::vector<FlowProblem> pulses;
    for (const char* name : {"wall", "body force", "imposed flux"}) {
        if (name == std::string("imposed flux") && settings.method == "classical") continue;
        FlowProblem s = problem(name, periodic, settings);
        std::erase_if(s.flow.boundaries,
                      [](const FlowBoundary& b) { return b.name == "xmin" || b.name == "xmax"; });
        if (name == std::string("wall"))
            test::move(side(s, "ymax"), test::vector_formula({bell, "0", "0"}));
        if (name == std::string("body force"))
            s.flow.flow.body_force = test::vector_formula({bell, "0", "0"});
        if (name == std::string("imposed flux"))
            s.flow.periodic = {{"xmin", "xmax", "test", Formula(bell, "test")}};
        pulses.push_back(s);
    }
    for (const FlowProblem& s : pulses) {
        SCOPED_TRACE(s.name);
        RunningFlow flow(s);
        flow.made->keep_state();
        flow.made->step(40);
        EXPECT_GT(flow.made->largest_speed(), 1e-3);
        flow.made->take_back();
        flow.made->step(1);
        flow.made->step(1);
        EXPECT_EQ(flow.made->largest_speed(), 0);
        EXPECT_EQ(flow.made->kinetic_energy(), 0);
    }
}

// The error that the solver tells of a step of a stream between slipping sides that a uniform force
// accelerates, and of a uniform scalar with a source: polynomials of time, whose third and second
// derivatives are those of the case. BDF2 sees the force at the end of its step, as implicit
// methods do.
TEST(TimeErrors, AreThoseOfPolynomials) {
    for (const char* time_scheme : {"bdf2", "midpoint"}) {
        FlowSettings settings;
        settings.time_scheme = time_scheme;
        FlowProblem s = problem("stream", test::closed(test::plain_box(2, 60), "x"), settings);
        s.flow.boundaries.clear();
        for (const char* name : {"ymin", "ymax"})
            s.flow.boundaries.push_back(test::boundary(name, "symmetry"));
        s.flow.flow.body_force = test::vector_formula({"3*t^2", "0", "0"});  // u = t^3
        ScalarSettings t;
        t.name = "T";
        t.convection = "central";
        t.source = Formula("12*t^2", "test");  // T = 4 t^3
        s.flow.scalars.push_back(t);
        s.flow.solvers = test::tight();
        s.flow.solvers.scalar.tolerance = 1e-11;
        RunningFlow flow(s);
        double before = 0.1, dt = 0.1;
        for (int n = 0; n < 11; ++n, before = dt, dt *= 1.05) {
            const double u = flow.made->cell_velocity()[0];
            flow.made->step(dt);
            const auto errors = flow.made->step_errors();
            ASSERT_EQ(bool(errors), n > 0);
            if (!errors) continue;
            EXPECT_EQ(errors->order, n == 1 ? 1 : 2);
            if (n < 6) continue;
            // From the third derivatives, 6 and 24, by the method's constants; the states differ
            // from the polynomials by earlier errors, which are of another order in the
            // differences.
            const double w = dt / before, bdf2 = dt * (1 + w) / (1 + 2 * w) * dt * (dt + before),
                         expected = settings.time_scheme == "bdf2" ? bdf2 : dt * dt * dt / 2;
            EXPECT_NEAR(errors->velocity, expected, 0.35 * expected)
                << time_scheme << ", step " << n;
            EXPECT_NEAR(errors->scalars[0], 4 * bdf2, 0.35 * 4 * bdf2)
                << time_scheme << ", step " << n;
            EXPECT_GT(flow.made->cell_velocity()[0], u);
        }
    }
}

}  // namespace
}  // namespace solenoid::take_back_test
