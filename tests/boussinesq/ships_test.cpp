// Ships: where they sail, what they press, and that what they feel is what the waves' energy gains.
#include "boussinesq/ships.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "boussinesq/incident_waves.hpp"
#include "boussinesq/wave_tank.hpp"
#include "core/error.hpp"
#include "support/devices.hpp"
#include "support/reproducible.hpp"

namespace solenoid::ships_test {
namespace {

using test::basin;
using test::gravity;
using test::nothing;
using test::pi;

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "accepted";
}

TEST(ShipCourse, FollowsItsPath) {
    // uniform on a line, with its times
    ShipCourse straight({{10, 1, 2}, {20, 31, 42}, {40, 91, 122}});
    for (const double t : {10.0, 13.0, 20.0, 33.0, 40.0}) {
        straight.move_to(t);
        EXPECT_NEAR(straight.pose().x, 1 + 3 * (t - 10), 1e-12);
        EXPECT_NEAR(straight.pose().y, 2 + 4 * (t - 10), 1e-12);
        EXPECT_NEAR(straight.pose().heading, std::atan2(4, 3), 1e-12);
    }
    straight.move_to(50);
    EXPECT_EQ(straight.pose().x, 91);
    EXPECT_NEAR(straight.pose().heading, std::atan2(4, 3), 1e-12);
    // a parabola in time is followed between inner points, where its slopes are those of the points
    std::vector<Waypoint> points;
    for (const double t : {0.0, 1.0, 3.0, 4.0, 6.0}) points.push_back({t, t, t * t});
    ShipCourse curved(points);
    for (const double t : {1.0, 2.0, 3.5}) {
        curved.move_to(t);
        EXPECT_NEAR(curved.pose().y, t * t, 1e-12);
        EXPECT_NEAR(curved.pose().heading, std::atan2(2 * t, 1), 1e-12);
    }
    // waits, and keeps its heading
    ShipCourse waiting({{0, 0, 0}, {1, 0, 2}, {5, 0, 2}, {6, 3, 2}});
    waiting.move_to(3);
    EXPECT_EQ(waiting.pose().x, 0);
    EXPECT_EQ(waiting.pose().y, 2);
    EXPECT_NEAR(waiting.pose().heading, pi / 2, 1e-9);
    waiting.move_to(7);
    EXPECT_NEAR(waiting.pose().heading, 0, 1e-9);
    ShipCourse leaving({{0, 1, 1}, {2, 1, 1}, {3, 0, 1}});
    leaving.move_to(1);
    EXPECT_NEAR(std::abs(leaving.pose().heading), pi, 1e-9);
    EXPECT_NE(refusal([] { ShipCourse({}); }), "accepted");
    EXPECT_NE(refusal([] { ShipCourse({{0, 1, 1}}); }).find("no heading"), std::string::npos);
    EXPECT_NE(refusal([] {
                  ShipCourse({{0, 1, 1}, {0, 2, 1}});
              }).find("times must rise"),
              std::string::npos);
    EXPECT_NE(refusal([&] { curved.steer(1, 0); }), "accepted");
}

TEST(ShipCourse, IsSteered) {
    // a circle of radius speed / rate, in any steps
    ShipCourse course(ShipPose{5, 0, 0}, 2, 0.1);
    for (const double t : {1.0, 2.0, 7.0, 5 * pi}) course.move_to(t);
    EXPECT_NEAR(course.pose().x, 5 + 20, 1e-9);
    EXPECT_NEAR(course.pose().y, 20, 1e-9);
    EXPECT_NEAR(course.pose().heading, pi / 2, 1e-12);
    course.steer(3, 0);
    course.move_to(5 * pi + 2);
    EXPECT_NEAR(course.pose().y, 26, 1e-9);
    EXPECT_NE(refusal([&] { course.steer(HUGE_VAL, 0); }), "accepted");
}

ShipSettings a_ship(ShipCourse course) {
    return {.length = 24, .beam = 8, .draught = 0.5, .course = std::move(course)};
}

double sum_of(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t n = 0; n < a.size(); ++n) sum += a[n] * b[n];
    return sum;
}

// rho (H + integral of zeta P + P^2 / (2 g)), of the two levels of the scheme's energy.
struct Energy {
    double waves = 0, pressed = 0;
    double sum() const { return waves + pressed; }
};
Energy energy(const Communicator& comm, BoussinesqModel<double>& model, double density) {
    const auto zeta = test::whole(comm, model, model.zeta()),
               pressure = test::whole(comm, model, model.pressure());
    const double area = model.settings().dx * model.settings().dy;
    return {density * model.energy(),
            density * area * (sum_of(zeta, pressure) + sum_of(pressure, pressure) / (2 * gravity))};
}

// At rest where the surface is pressed down by the draught nothing moves and no force acts.
TEST(Ships, LieStillInStillWater) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const BoussinesqSettings s = basin(48, 32, 1, 4);
    BoussinesqModel<double> model(comm, *device, s);
    ShipSettings ship = a_ship(ShipCourse(ShipPose{23, 15, 0.4}, 0));
    ship.heaves = ship.pitches = ship.rolls = true;
    Ships<double> ships(comm, *device, {ship}, 1025);
    model.start(
        0.05, [&](double x, double y) { return ships.rest_elevation(x, y); }, nothing);
    ships.start(model);
    // mass: the volume, by the sum over the nodes
    double volume = 0, deepest = 0;
    for (const double zeta : test::whole(comm, model, model.zeta())) {
        volume -= zeta;
        deepest = std::min(deepest, zeta);
    }
    EXPECT_NEAR(ships.mass(0), 1025 * volume, 0.002 * ships.mass(0));
    EXPECT_NEAR(deepest, -0.5, 0.01);
    for (int n = 0; n < 20; ++n) ships.step(model);
    const ShipForces forces = ships.forces(model, 0);
    const double weight = ships.mass(0) * gravity;
    for (const double force : {forces.surge, forces.sway, forces.lift})
        EXPECT_NEAR(force, 0, 1e-9 * weight);
    for (const double moment : {forces.roll, forces.pitch, forces.yaw})
        EXPECT_NEAR(moment, 0, 1e-8 * weight);
    EXPECT_NEAR(ships.motion(0).value[0], 0, 1e-10);
}

// In a reproducible run ships that not every rank has, and the waves under them, are those of one
// rank to the bit.
TEST(Ships, HaveTheSameBitsOnAnyNumberOfRanks) {
    const auto device = test::make_device("cpu");
    const test::Reproducible reproducible;
    struct Found {
        std::vector<double> zeta, pressure, numbers;
    };
    const auto sail = [&](const Communicator& comm) {
        const BoussinesqSettings s = basin(53, 38, 1, 4);
        BoussinesqModel<double> model(comm, *device, s);
        ShipSettings small = a_ship(ShipCourse(ShipPose{9.7, 7.3, 0.4}, 0.8)),
                     other = a_ship(ShipCourse(ShipPose{0.3 * 53, 30.1, -1}, 0.5));
        small.length = 9, small.beam = 5;
        small.heaves = small.pitches = small.rolls = true;
        Ships<double> ships(comm, *device, {small, other}, 1025);
        model.start(
            0.05, [](double x, double) { return 0.02 * std::cos(0.2 * x); }, nothing);
        ships.start(model);
        Found found;
        for (int n = 0; n < 6; ++n) {
            ships.step(model);
            for (const std::size_t ship : {0, 1}) {
                const ShipForces f = ships.forces(model, ship);
                found.numbers.insert(found.numbers.end(), {f.surge, f.sway, f.lift, f.roll, f.pitch,
                                                           f.yaw, ships.motion(ship).value[0]});
            }
            found.numbers.push_back(model.energy());
        }
        found.zeta = test::whole(comm, model, model.zeta());
        found.pressure = test::whole(comm, model, model.pressure());
        return found;
    };
    const Found here = sail(Communicator::world()), alone = sail(Communicator::self());
    EXPECT_EQ(here.numbers, alone.numbers);
    EXPECT_EQ(here.zeta, alone.zeta);
    EXPECT_EQ(here.pressure, alone.pressure);
}

// Each motion has a frequency by the stiffness of the hull's waterplane and of the water above it:
// integrals of (1 - xi^4)^m and (1 - eta^2)^m, m = 2 and 4, which are beta functions.
TEST(Ships, LimitTheStepByTheirMotions) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    BoussinesqModel<double> model(comm, *device, basin(48, 32, 1, 4));
    const auto along = [](int m, int power) { return std::beta((1 + power) / 4.0, m + 1.0) / 2; };
    const auto aside = [](int m, int power) { return std::beta((1 + power) / 2.0, m + 1.0); };
    const double half_length = 12, half_beam = 4, volume = 0.5 * along(2, 0) * aside(2, 0);
    const auto frequency = [&](int a, int b, double radius) {
        double stiffness = 0;
        for (const int m : {2, 4}) stiffness += along(m, a) * aside(m, b);
        stiffness *= std::pow(half_length, a) * std::pow(half_beam, b);
        return std::sqrt(gravity * stiffness / (volume * radius * radius));
    };
    const double heave = frequency(0, 0, 1), pitch = frequency(2, 0, 0.25 * 24),
                 roll = frequency(0, 2, 0.35 * 8);
    const auto found = [&](bool heaves, bool pitches, bool rolls) {
        ShipSettings ship = a_ship(ShipCourse(ShipPose{23, 15, 0.4}, 0));
        ship.heaves = heaves;
        ship.pitches = pitches;
        ship.rolls = rolls;
        const Ships<double> ships(comm, *device, {ship}, 1025);
        return 1 / ships.largest_step(model) - 1 / model.largest_step();
    };
    EXPECT_NEAR(found(false, false, false), 0, 1e-12);
    EXPECT_NEAR(found(true, false, false), heave, 1e-6 * heave);
    EXPECT_NEAR(found(false, true, false), pitch, 1e-6 * pitch);
    EXPECT_NEAR(found(false, false, true), roll, 1e-6 * roll);
    EXPECT_NEAR(found(true, true, true), std::max({heave, pitch, roll}), 1e-6 * heave);
}

// Forces and moments in water that is not still are the loss of rho / (2 g) integral of w^2 by a
// small move of the ship, w at the nodes from the formula of the hull.
TEST(Ships, FeelWhatTheirEnergyLoses) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const BoussinesqSettings s = basin(96, 64, 0.5, 4);
    const double density = 1000;
    const auto zeta = [](double x, double y) { return 0.3 * std::sin(0.2 * x + 0.4 * y + 0.3); };
    const ShipPose pose{23.2, 15.7, 0.4};
    ShipMotion motion;
    motion.value = {0.1, 0.01, 0.02};
    // x, y along the ship's axes, yaw; then heave, pitch, roll
    const auto energy = [&](const std::array<double, 6>& move) {
        double sum = 0;
        const double heading = pose.heading + move[2],
                     mx = pose.x + std::cos(pose.heading) * move[0] -
                          std::sin(pose.heading) * move[1],
                     my = pose.y + std::sin(pose.heading) * move[0] +
                          std::cos(pose.heading) * move[1];
        for (int j = 0; j < 64; ++j)
            for (int i = 0; i < 96; ++i) {
                const double x = 0.25 + 0.5 * i, y = 0.25 + 0.5 * j,
                             along = std::cos(heading) * (x - mx) + std::sin(heading) * (y - my),
                             aside = std::cos(heading) * (y - my) - std::sin(heading) * (x - mx),
                             xi = along / 12, eta = aside / 4;
                double p = 0;
                if (std::abs(xi) < 1 && std::abs(eta) < 1)
                    p = gravity * std::pow(1 - xi * xi * xi * xi, 2) * std::pow(1 - eta * eta, 2) *
                        (0.5 - 0.1 - move[3] + along * (0.01 + move[4]) - aside * (0.02 + move[5]));
                const double w = gravity * zeta(x, y) + p;
                sum += w * w;
            }
        return density / (2 * gravity) * sum * 0.25;
    };
    BoussinesqModel<double> model(comm, *device, s);
    Ships<double> ships(comm, *device, {a_ship(ShipCourse(pose, 0))}, density);
    ships.set_motion(0, motion);
    model.start(0.05, zeta, nothing);
    ships.start(model);
    const ShipForces forces = ships.forces(model, 0);
    const std::array<double, 6> found{forces.surge, forces.sway,  forces.yaw,
                                      forces.lift,  forces.pitch, forces.roll};
    for (int d = 0; d < 6; ++d) {
        std::array<double, 6> up{}, down{};
        up[d] = 1e-4;
        down[d] = -1e-4;
        const double expected = -(energy(up) - energy(down)) / 2e-4;
        EXPECT_NEAR(found[d], expected, 1e-6 * std::abs(expected) + 1) << "degree " << d;
        EXPECT_GT(std::abs(expected), 1000);
    }
}

// What a sailing ship does against the waves' force is the energy that the waves have.
TEST(Ships, GiveTheWavesTheWorkThatTheyDo) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    if (comm.size() > 1) GTEST_SKIP() << "on one rank";
    const BoussinesqSettings s = basin(160, 40, 1, 3);
    BoussinesqModel<double> model(comm, *device, s);
    const double speed = 0.85 * std::sqrt(gravity * 3);
    // from rest to the speed, and on
    std::vector<Waypoint> path;
    for (double t = 0; t <= 24; t += 0.5) {
        const double r = std::min(1.0, t / 8);
        path.push_back(
            {t, 20 + speed * (t < 8 ? 8 * (r * r * r - r * r * r * r / 2) : t - 4), 20.0});
    }
    Ships<double> ships(comm, *device, {a_ship(ShipCourse(path))});
    model.start(
        0.5 * model.largest_step(), [&](double x, double y) { return ships.rest_elevation(x, y); },
        nothing);
    ships.start(model);
    double work = 0, force = ships.forces(model, 0).surge, x = ships.course(0).pose().x;
    ships.step(model);
    const Energy first = energy(comm, model, 1000);
    x = ships.course(0).pose().x;
    force = ships.forces(model, 0).surge;
    while (model.time() < 22) {
        ships.step(model);
        const double now = ships.forces(model, 0).surge, there = ships.course(0).pose().x;
        work -= (force + now) / 2 * (there - x);
        force = now;
        x = there;
    }
    const Energy last = energy(comm, model, 1000);
    std::printf("work %.4e J, energy %.4e J, wave resistance %.3e N\n", work,
                last.sum() - first.sum(), -force);
    EXPECT_LT(force, 0);
    EXPECT_NEAR(work, last.sum() - first.sum(), 0.01 * work);
}

// A ship let go above its rest heaves, and what its motion loses the waves have.
TEST(Ships, KeepTheEnergyOfTheirMotion) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    if (comm.size() > 1) GTEST_SKIP() << "on one rank";
    const BoussinesqSettings s = basin(64, 48, 1, 4);
    for (int degree = 0; degree < 3; ++degree) {
        BoussinesqModel<double> model(comm, *device, s);
        ShipSettings ship = a_ship(ShipCourse(ShipPose{32, 24, 0.2}, 0));
        ship.draught = 2;
        ship.heaves = ship.pitches = ship.rolls = true;
        Ships<double> ships(comm, *device, {ship});
        const double scale = degree == 0 ? 1 : degree == 1 ? 12 : 4;  // of a move at the hull's end
        model.start(
            0.4 * ships.largest_step(model),
            [&](double x, double y) { return ships.rest_elevation(x, y); }, nothing);
        ShipMotion motion;
        motion.value[degree] = 0.2 / scale;
        ships.set_motion(0, motion);
        ships.start(model);
        const auto of_motion = [&] {
            const double mass = ships.mass(0), a = 12, b = 4;
            const auto& [value, rate] = ships.motion(0);
            // the integrals of s, s x'^2 and s y'^2
            return 0.5 * mass *
                       (rate[0] * rate[0] + std::pow(0.25 * 24 * rate[1], 2) +
                        std::pow(0.35 * 8 * rate[2], 2)) +
                   0.5 * 1000 * gravity * a * b *
                       (64 / 45.0 * 16 / 15.0 * value[0] * value[0] +
                        a * a * 64 / 231.0 * 16 / 15.0 * value[1] * value[1] +
                        b * b * 64 / 45.0 * 16 / 105.0 * value[2] * value[2]);
        };
        // between two levels, where the scheme's energy is
        double before = energy(comm, model, 1000).pressed + of_motion();
        const auto between = [&] {
            ships.step(model);
            const Energy now = energy(comm, model, 1000);
            const double other = now.pressed + of_motion(), mean = (before + other) / 2;
            before = other;
            return now.waves + mean;
        };
        const double first = between(), at_start = motion.value[degree];
        double last = 0, most = 0, least = 0;
        while (model.time() < 6) {
            last = between();
            const double now = ships.motion(0).value[degree];
            most = std::max(most, now);
            least = std::min(least, now);
            ASSERT_NEAR(last, first, 0.01 * first) << degree << " at " << model.time();
        }
        std::printf("degree %d: from %.4f to %.4f, energy %.4e to %.4e J\n", degree, at_start,
                    least, first, last);
        EXPECT_LT(least, -0.1 * at_start);  // it swings through its rest
        EXPECT_LE(most, at_start);
    }
}

// Levels and motions put into another model and its ships: the same bits afterwards.
TEST(Ships, GoOnFromASavedState) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const BoussinesqSettings s = basin(48, 32, 1, 4);
    const auto make_ship = [&](const ShipCourse& course) {
        ShipSettings ship = a_ship(course);
        ship.heaves = ship.pitches = ship.rolls = true;
        return ship;
    };
    BoussinesqModel<double> model(comm, *device, s), again(comm, *device, s);
    Ships<double> ships(comm, *device, {make_ship(ShipCourse(ShipPose{16, 15, 0.4}, 2, 0.1))});
    model.start(0.05, nothing, nothing);
    ships.start(model);
    for (int n = 0; n < 9; ++n) ships.step(model);
    for (int n = 0; n < 6; ++n) again.levels()[n]->upload(model.levels()[n]->download());
    again.resume(model.dt(), model.steps());
    const ShipCourse& course = ships.course(0);
    Ships<double> others(
        comm, *device,
        {make_ship(ShipCourse(course.pose(), course.speed(), course.turn_rate(), course.time()))});
    others.set_motion(0, ships.motion(0));
    others.set_motion_before(0, ships.motion_before(0));
    others.start(again);
    for (int n = 0; n < 5; ++n) {
        ships.step(model);
        others.step(again);
    }
    EXPECT_EQ(again.time(), model.time());
    EXPECT_EQ(test::whole(comm, again, again.zeta()), test::whole(comm, model, model.zeta()));
    EXPECT_EQ(others.motion(0).value, ships.motion(0).value);
    EXPECT_NE(ships.motion(0).value[0], 0);
    EXPECT_THROW(again.resume(10, 3), InputError);
}

// A ship that was let go, by steps that are halved on the way and by short ones all the way: alike
// but for the second order of the former.
TEST(Ships, GoOnWithAnotherStep) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const auto heaves = [&](double dt, double shorter) {
        BoussinesqModel<double> model(comm, *device, basin(48, 32, 1, 4));
        ShipSettings ship = a_ship(ShipCourse(ShipPose{23, 15, 0.4}, 0));
        ship.draught = 2;
        ship.heaves = true;
        Ships<double> ships(comm, *device, {ship});
        model.start(
            dt, [&](double x, double y) { return ships.rest_elevation(x, y); }, nothing);
        ships.set_motion(0, {.value = {0.2, 0, 0}, .rate = {}});
        ships.start(model);
        std::vector<double> all;
        for (const double end : {0.6, 1.2, 1.8}) {
            while (model.time() < end - 1e-9) ships.step(model);
            all.push_back(ships.motion(0).value[0]);
            if (end == 0.6) model.change_step(shorter);
        }
        return all;
    };
    const auto expected = heaves(0.025, 0.025), found = heaves(0.05, 0.025);
    EXPECT_LT(expected[1], 0.1);  // it moves
    for (int n = 0; n < 3; ++n) EXPECT_NEAR(found[n], expected[n], 0.005) << n;
    EXPECT_NE(found[0], expected[0]);
}

// What is measured at nodes is what a ship presses down.
TEST(Ships, HaveAHull) {
    const auto device = test::make_device("cpu");
    ShipSettings ship = a_ship(ShipCourse(ShipPose{23, 15, pi / 2}, 0));
    ship.rise = 10;
    const Ships<double> ships(Communicator::world(), *device, {ship});
    EXPECT_EQ(ships.hull(0, 23, 15), 0.5);  // also before it has risen
    EXPECT_NEAR(ships.hull(0, 23, 15 + 6), 0.5 * std::pow(1 - 1 / 16.0, 2), 1e-12);
    EXPECT_NEAR(ships.hull(0, 23 + 2, 15), 0.5 * std::pow(1 - 1 / 4.0, 2), 1e-12);
    EXPECT_EQ(ships.hull(0, 23, 15 + 12.5), 0);
    EXPECT_EQ(ships.hull(0, 23 + 4.5, 15), 0);
}

TEST(Ships, AreRefusedWithoutASize) {
    const auto device = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const ShipSettings good = a_ship(ShipCourse(ShipPose{}, 0));
    const auto message = [&](const ShipSettings& ship) {
        return refusal([&] { Ships<double>(comm, *device, {ship}); });
    };
    EXPECT_EQ(message(good), "accepted");
    for (double ShipSettings::*size : {&ShipSettings::length, &ShipSettings::beam,
                                       &ShipSettings::draught, &ShipSettings::pitch_radius})
        for (const double value : {0.0, -1.0, std::nan("")}) {
            ShipSettings ship = good;
            ship.*size = value;
            EXPECT_NE(message(ship), "accepted");
        }
    // a step that is short enough for the waves, not for the ship
    ShipSettings light = good;
    light.draught = 0.01;
    light.heaves = true;
    BoussinesqModel<double> model(comm, *device, basin(48, 32, 1, 4));
    Ships<double> ships(comm, *device, {light});
    EXPECT_LT(ships.largest_step(model), model.largest_step());
    model.start(model.largest_step(), nothing, nothing);
    EXPECT_NE(refusal([&] { ships.start(model); }).find("heave"), std::string::npos);
}

// A harbour with all that there is, on every device and number of ranks: the same as on one rank of
// the processor.
class HarbourTest : public testing::TestWithParam<std::string> {};

template <class Real>
std::vector<double> harbour(const Communicator& comm, Device& device, int steps, ShipForces& forces,
                            ShipMotion& motion) {
    BoussinesqSettings s = basin(44, 30, 1, 3);
    s.depth = [](double x, double y) {
        const bool is_mole = x > 30 && x < 33 && y < 14;
        return is_mole ? 0 : 3 + 0.5 * std::sin(0.2 * x) * std::cos(0.15 * y);
    };
    s.damping = border_damping(
        s, {.sides = {GridSide::west, GridSide::north}, .width = 8, .frequency = 1.5});
    s.solver.reduction = std::is_same_v<Real, double> ? 1e-9 : 1e-5;
    BoussinesqModel<Real> model(comm, device, s);
    ShipSettings turning = a_ship(ShipCourse(ShipPose{14, 16, 0.3}, 3, 0.05)),
                 other = a_ship(ShipCourse({{0, 30, 24}, {6, 40, 25}}));
    turning.heaves = turning.pitches = turning.rolls = true;
    turning.length = other.length = 14;
    turning.beam = other.beam = 6;
    turning.rise = other.rise = 1;
    Ships<Real> ships(comm, device, {turning, other});
    model.start(0.9 * ships.largest_step(model), nothing, nothing);
    ships.start(model);
    IncidentWaves<Real> waves(
        comm, device, model,
        {.side = GridSide::west,
         .distance = 8,
         .components = irregular_waves(
             {.significant_height = 0.4, .peak_period = 5, .spreading = 8, .components = 12}),
         .rise = 1});
    for (int n = 0; n < steps; ++n) {
        waves.set_source(model);
        ships.step(model);
    }
    forces = ships.forces(model, 0);
    motion = ships.motion(0);
    return test::whole(comm, model, model.zeta());
}

TEST_P(HarbourTest, IsTheSameOnEveryDeviceAndNumberOfRanks) {
    const auto device = test::make_device(GetParam()), reference = test::make_device("cpu");
    const Communicator comm = Communicator::world();
    const int steps = GetParam() == "cpu" ? 40 : 10;
    const auto compare = [&]<class Real>(Real, double tolerance) {
        ShipForces forces, expected_forces;
        ShipMotion motion, expected_motion;
        const std::vector<double> found = harbour<Real>(comm, *device, steps, forces, motion),
                                  expected =
                                      harbour<double>(Communicator::self(), *reference, steps,
                                                      expected_forces, expected_motion);
        double largest = 0, error = 0;
        for (std::size_t n = 0; n < expected.size(); ++n) {
            largest = std::max(largest, std::abs(expected[n]));
            error = std::max(error, std::abs(found[n] - expected[n]));
        }
        EXPECT_GT(largest, 0.05);
        EXPECT_LE(error, tolerance * largest);
        const double weight = 1000 * gravity * 14 * 6 * 0.5;
        EXPECT_NEAR(forces.surge, expected_forces.surge, tolerance * weight);
        EXPECT_NEAR(forces.sway, expected_forces.sway, tolerance * weight);
        EXPECT_NEAR(forces.lift, expected_forces.lift, tolerance * weight);
        EXPECT_NEAR(forces.roll, expected_forces.roll, 6 * tolerance * weight);
        EXPECT_NEAR(forces.pitch, expected_forces.pitch, 14 * tolerance * weight);
        EXPECT_NEAR(forces.yaw, expected_forces.yaw, 14 * tolerance * weight);
        EXPECT_NE(motion.value[0], 0);
        for (int d = 0; d < 3; ++d)
            EXPECT_NEAR(motion.value[d], expected_motion.value[d], tolerance);
    };
    compare(float(), 1e-3);
    if (device->info().has_fp64) compare(double(), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Devices, HarbourTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::ships_test
