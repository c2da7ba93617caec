// The variational Boussinesq model on every device and on several ranks: its dispersion, energy and
// largest step, against formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>

#include "boussinesq/boussinesq_model.hpp"
#include "boussinesq/dispersion.hpp"
#include "core/error.hpp"
#include "support/broken_off.hpp"
#include "support/devices.hpp"

namespace solenoid::boussinesq_test {
namespace {

constexpr double pi = 3.14159265358979323846, gravity = 9.81;

// The sum of a rank's zeta times a function, over all ranks.
template <class Real>
double projected(const Communicator& comm, const BoussinesqModel<Real>& model,
                 const BoussinesqSettings& settings, const BoussinesqSettings::Field& shape) {
    const std::vector<Real> zeta = model.zeta().download();
    const RankBlocks::Block block = model.blocks().block(1);
    double sum = 0;
    for (int j = 0; j < block.height; ++j)
        for (int i = 0; i < block.width; ++i)
            sum +=
                zeta[model.array().entry(i, j)] * shape(settings.x + (block.x + i) * settings.dx,
                                                        settings.y + (block.y + j) * settings.dy);
    return comm.sum(sum);
}

double nothing(double, double) { return 0; }

// A closed basin of nx x ny nodes, walls half a node outside the outermost.
BoussinesqSettings basin(int nx, int ny, double length, double depth) {
    BoussinesqSettings s;
    s.nx = nx;
    s.ny = ny;
    s.dx = s.dy = length / nx;
    s.x = s.dx / 2;
    s.y = s.dy / 2;
    s.gravity = gravity;
    s.depth = [depth](double, double) { return depth; };
    s.solver.reduction = 1e-9;
    return s;
}

class BoussinesqTest : public testing::TestWithParam<std::string> {};

// The frequency of a standing wave in a basin of half its length, from its zeros, is that of the
// formula, over half a wave in 48 nodes.
TEST_P(BoussinesqTest, HasTheFrequenciesOfTheFormula) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    const bool is_slow = GetParam() != "cpu" || comm.size() > 1;
    const double depth = 2;
    for (const double kh : {0.2, 0.5, 1.0, 2.0, 3.0}) {
        if (is_slow && kh != 1.0) continue;
        const double k = kh / depth;
        const BoussinesqSettings s = basin(48, 8, pi / k, depth);
        BoussinesqModel<double> model(comm, *device, s);
        const double w =
            kh == 0 ? 0 : std::sqrt(gravity * k * kh * (1 + kh * kh / 15) / (1 + 2 * kh * kh / 5));
        const double period = 2 * pi / w;
        const int steps =
            static_cast<int>(std::ceil(period / std::min(model.largest_step(), period / 60)));
        const auto shape = [&](double x, double) { return std::cos(k * x); };
        model.start(period / steps, shape, nothing);
        double before = projected(comm, model, s, shape), first = -1, last = -1;
        const double at_start = before;
        int zeros = 0;
        for (int n = 0; n < (is_slow ? 1 : 4) * steps; ++n) {
            model.step();
            const double now = projected(comm, model, s, shape);
            if ((now > 0) != (before > 0)) {
                last = model.time() - period / steps * now / (now - before);
                if (zeros++ == 0) first = last;
            }
            before = now;
            ASSERT_LE(std::abs(now), 1.001 * at_start);
        }
        ASSERT_GE(zeros, 2);
        const double measured = pi * (zeros - 1) / (last - first);
        const double of_water = std::sqrt(gravity * k * std::tanh(kh));
        EXPECT_NEAR(measured, w, 0.005 * w) << "k h = " << kh;
        EXPECT_NEAR(wave_frequency(k, depth, gravity), w, 1e-12 * w);
        EXPECT_NEAR(wave_number(w, depth, gravity), k, 1e-12 * k);
        EXPECT_NEAR(group_velocity(k, depth, gravity),
                    (wave_frequency(k * 1.0001, depth, gravity) -
                     wave_frequency(k * 0.9999, depth, gravity)) /
                        (0.0002 * k),
                    1e-6 * w / k);
        if (comm.is_root())
            std::printf("k h %.1f: frequency %.5f rad/s, formula %.5f, water %.5f\n", kh, measured,
                        w, of_water);
    }
}

// Over an uneven bottom with an island, and with a current that has no divergence.
TEST_P(BoussinesqTest, KeepsItsEnergy) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const Communicator comm = Communicator::world();
    for (const bool has_current : {false, true}) {
        BoussinesqSettings s = basin(30, 21, 30, 1);
        s.depth = [](double x, double y) {
            const bool is_island = std::hypot(x - 18, y - 9) < 3;
            return is_island ? -1 : 2 + 0.9 * std::sin(0.4 * x) + 0.05 * y;
        };
        if (has_current)
            s.current = [](double x, double y) {
                return std::array{0.2 * std::sin(0.1 * y), 0.1 * std::cos(0.2 * x)};
            };
        BoussinesqModel<double> model(comm, *device, s);
        model.start(
            0.9 * model.largest_step(),
            [](double x, double y) { return std::exp(-0.2 * std::hypot(x - 7, y - 8)); }, nothing);
        model.step();
        const double first = model.energy();
        EXPECT_GT(first, 0);
        for (int n = 0; n < (GetParam() == "cpu" ? 300 : 20); ++n) model.step();
        EXPECT_NEAR(model.energy(), first, 1e-7 * first);
    }
}

// A standing wave over half a period by long steps and over the other half by steps of half the
// length: back where it was, as it is by cos(w t).
TEST(Boussinesq, GoesOnWithAnotherStep) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const double depth = 2, k = 0.5;
    const BoussinesqSettings s = basin(24, 4, pi / k, depth);
    BoussinesqModel<double> model(comm, *device, s);
    const double period =
        2 * pi / wave_frequency(2 / s.dx * std::sin(k * s.dx / 2), depth, gravity);
    const int half = static_cast<int>(std::ceil(period / 2 / model.largest_step()));
    const double dt = period / 2 / half;
    const auto shape = [&](double x, double) { return std::cos(k * x); };
    model.start(dt, shape, nothing);
    const double at_start = projected(comm, model, s, shape);
    for (int n = 0; n < half; ++n) model.step();
    EXPECT_NEAR(projected(comm, model, s, shape), -at_start, 0.01 * at_start);
    EXPECT_FALSE(model.begins());
    EXPECT_THROW(model.change_step(2 * model.largest_step()), InputError);
    model.change_step(dt / 2);
    EXPECT_TRUE(model.begins());
    EXPECT_EQ(model.dt(), dt / 2);
    EXPECT_NEAR(model.time(), period / 2, 1e-12 * period);
    model.step();
    EXPECT_FALSE(model.begins());
    EXPECT_NEAR(model.time(), period / 2 + dt / 2, 1e-12 * period);
    for (int n = 1; n < half; ++n) model.step();
    EXPECT_NEAR(model.time(), 0.75 * period, 1e-12 * period);
    EXPECT_NEAR(projected(comm, model, s, shape), 0, 0.02 * at_start);
    for (int n = 0; n < half; ++n) model.step();
    EXPECT_NEAR(projected(comm, model, s, shape), at_start, 0.01 * at_start);
}

// The shortest waves of a flat basin set the largest step: at it they stay bounded, above it is
// refused.
TEST_P(BoussinesqTest, KnowsItsLargestStep) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64 || GetParam() != "cpu") GTEST_SKIP();
    const Communicator comm = Communicator::world();
    const BoussinesqSettings s = basin(32, 32, 16, 0.7);
    BoussinesqModel<double> model(comm, *device, s);
    // of k = 2 sqrt(2) / dx, reached up to a factor cos^2(pi / 64) by the basin's shortest wave
    const double shortest = std::sqrt(8.0) / s.dx;
    EXPECT_NEAR(model.largest_step(), 1 / wave_frequency(shortest, 0.7, gravity),
                1e-9 * model.largest_step());
    EXPECT_THROW(model.start(1.001 * model.largest_step(), nothing, nothing), InputError);
    try {
        model.start(1, nothing, nothing);
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(std::to_string(model.largest_step())),
                  std::string::npos);
    }
    const auto noise = [](double x, double y) { return std::sin(1e4 * x * y + 77 * x); };
    model.start(model.largest_step(), noise, nothing);
    for (int n = 0; n < 400; ++n) model.step();
    EXPECT_LE(std::abs(projected(comm, model, s, noise)), 1e5);
}

// A pulse that is damped, and a grid on land alone.
TEST_P(BoussinesqTest, DampsAtTheGivenRate) {
    const auto device = test::make_device(GetParam());
    const Communicator comm = Communicator::world();
    const double k = pi / 20;
    BoussinesqSettings s = basin(20, 8, 20, 2);
    s.damping = [](double, double) { return 0.05; };
    s.solver.reduction = 1e-6;
    BoussinesqModel<float> model(comm, *device, s);
    const auto shape = [&](double x, double) { return std::cos(k * x); };
    const double period = 2 * pi / wave_frequency(2 / s.dx * std::sin(k * s.dx / 2), 2, gravity);
    const int steps = static_cast<int>(std::ceil(period / model.largest_step())) * 2;
    model.start(period / steps, shape, nothing);
    const double at_start = projected(comm, model, s, shape);
    for (int n = 0; n < steps; ++n) model.step();
    EXPECT_NEAR(projected(comm, model, s, shape) / at_start, std::exp(-0.05 * period), 0.02);
    s.depth = [](double, double) { return -1.0; };
    EXPECT_THROW(BoussinesqModel<float>(comm, *device, s), InputError);
}

// One rank has the node, all of them tell.
TEST(Boussinesq, RefusesNumbersThatAreOfNoUse) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const auto message = [&](const BoussinesqSettings& s) {
        try {
            BoussinesqModel<float>(comm, *device, s);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    const auto at_one_node = [](double value, double usual) {
        return [=](double x, double y) { return x > 9 && y < 1 ? value : usual; };
    };
    const BoussinesqSettings good = basin(10, 10, 10, 2);
    EXPECT_EQ(message(good), "accepted");
    const double not_a_number = std::nan("");
    for (const double value : {not_a_number, HUGE_VAL, -HUGE_VAL}) {
        BoussinesqSettings s = good;
        s.depth = at_one_node(value, 2);
        EXPECT_NE(message(s), "accepted") << value;
        s = good;
        s.current = [value](double x, double) { return std::array{0.1, x > 9 ? value : 0.0}; };
        EXPECT_NE(message(s), "accepted") << value;
    }
    for (const double value : {not_a_number, HUGE_VAL, -0.01}) {
        BoussinesqSettings s = good;
        s.damping = at_one_node(value, 0);
        const std::string text = message(s);
        EXPECT_NE(text, "accepted") << value;
        EXPECT_NE(text.find("the damping at (9.5, 0.5) is"), std::string::npos) << text;
    }
}

// Neither on land nor through walls and shores: it may be of no use there, or large.
TEST(Boussinesq, TakesTheCurrentBetweenWaterAlone) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    BoussinesqSettings s = basin(10, 10, 10, 2);
    s.depth = [](double x, double) { return x < 7 ? 2 : -1; };
    const double at_rest = BoussinesqModel<double>(comm, *device, s).largest_step();
    s.current = [](double x, double y) {
        const bool is_between = x > 0.4 && x < 6.6 && y > 0.4 && y < 9.6;
        if (!is_between) throw InputError("there is no current");
        return std::array{0.0, 0.0};
    };
    EXPECT_EQ(BoussinesqModel<double>(comm, *device, s).largest_step(), at_rest);
    s.current = [](double x, double y) {
        const bool is_between = x > 0.4 && x < 6.6 && y > 0.4 && y < 9.6;
        return std::array{is_between ? 0.0 : 100.0, 0.0};
    };
    EXPECT_EQ(BoussinesqModel<double>(comm, *device, s).largest_step(), at_rest);
    // 1 m/s along x, nodes 1 m apart
    s.current = [](double, double) { return std::array{1.0, 0.0}; };
    EXPECT_NEAR(1 / BoussinesqModel<double>(comm, *device, s).largest_step(), 1 / at_rest + 1,
                1e-9);
    // at one side, of one rank: all of them tell
    s.current = [](double x, double y) {
        if (x < 1 && y < 1.1) throw InputError("no number");
        return std::array{0.0, 0.0};
    };
    EXPECT_THROW(BoussinesqModel<double>(comm, *device, s), AgreedError);
}

TEST(Boussinesq, TellsOnAllRanksWhereASolveFails) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const auto failure = [&](const std::function<void()>& action) {
        try {
            action();
        } catch (const AgreedError& error) {
            EXPECT_EQ(error.exit_code(), 1);
            return std::string(error.what());
        }
        return std::string("none");
    };
    const auto shape = [](double x, double y) { return std::sin(9 * x * y); };
    BoussinesqSettings s = basin(32, 32, 32, 3);
    s.solver = {.reduction = 1e-10, .max_iterations = 1};
    BoussinesqModel<double> model(comm, *device, s);
    const std::string at_start = failure([&] { model.start(0.1, nothing, shape); });
    EXPECT_NE(at_start.find("psi at t = 0 s"), std::string::npos) << at_start;
    EXPECT_NE(at_start.find("solver.psi.max_iterations or solver.psi.tolerance"),
              std::string::npos);
    model.start(0.1, shape, nothing);  // of no potential psi is 0
    const std::string in_step = failure([&] { model.step(); });
    EXPECT_NE(in_step.find("psi at t = 0.05 s: not converged in 1 iterations"), std::string::npos)
        << in_step;
    // a number that is not finite: on one rank
    model.start(0.1, nothing, nothing);
    const std::vector<double> ones(model.array().size(), comm.is_root() ? std::nan("") : 0.0);
    model.pressure().upload(ones);
    const std::string infinite = failure([&] { model.step(); });
    EXPECT_NE(infinite.find("psi at t = 0.05 s"), std::string::npos) << infinite;
    EXPECT_NE(infinite.find("not finite"), std::string::npos) << infinite;
}

INSTANTIATE_TEST_SUITE_P(Devices, BoussinesqTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

// A signal is heard after a row of nodes.
TEST(Boussinesq, IsBrokenOffWhereItIs) {
    const Communicator comm = Communicator::world();
    const auto device = test::make_device("cpu");
    for (const std::size_t at : {8, 12000, 35000, 50000}) {
        const std::size_t more =
            test::calls_after_stop(at / std::size_t(comm.size()), [&](const auto& evaluated) {
                BoussinesqSettings s = basin(200, 150, 200, 1);
                s.depth = [&](double, double) {
                    evaluated();
                    return 1.0;
                };
                s.damping = [&](double, double) {
                    evaluated();
                    return 0.1;
                };
                const BoussinesqModel<float> model(comm, *device, s);
            });
        EXPECT_LT(more, 2000u) << at;
    }
}

}  // namespace
}  // namespace solenoid::boussinesq_test
