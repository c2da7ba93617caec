// What the window asks of a run: a push, steering, the initial state; and bodies in pictures.
#include "run/window_orders.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "case/case_text.hpp"
#include "case/physics.hpp"
#include "core/stop_signal.hpp"
#include "run/run_output.hpp"
#include "support/scratch_folder.hpp"
#include "view/drawn_pictures.hpp"
#include "wave/case/wave_physics.hpp"

namespace solenoid::window_orders_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* text = R"case(
physics = "wave"
name = "case"
[mesh.box]
cells = 400
dimension = 2
[wave]
speed = 1
[boundary.default]
type = "fixed"
[time]
step = 0.02
end = 2
retries = 3
[initial]
displacement = "0.1*sin(3.141592653589793*x)*sin(3.141592653589793*y)"
velocity = "0.2*x*(1 - x)*sin(3.141592653589793*y)"
[output]
vtk = false
[[picture]]
name = "flat"
width = 300
height = 200
every = 1
[[picture]]
name = "raised"
width = 300
height = 200
every = 1
height_of = "displacement"
)case";

struct WaveRun {
    WaveRun(const Communicator& comm, const fs::path& folder,
            const std::vector<std::string>& overrides = {})
        : run(comm, options) {
        static const WavePhysics wave;
        run.settings = read_case(CaseText{"case.toml", text}, {&wave}, overrides);
        run.folder = std::make_unique<OutputFolder>(comm, folder, "case", EarlierResults::refuse);
        set_up(run);
    }
    RunOptions options = [] {
        RunOptions options;
        options.device = "cpu";
        options.quiet = true;
        return options;
    }();
    Run run;
};

// A body that goes where it is steered, on water that cannot be pushed.
class Boat final : public Simulation {
  public:
    explicit Boat(Run& run) {
        for (const char* name : {"displacement", "velocity"})
            quantities_.add({.name = name,
                             .unit = "m",
                             .help = "y",
                             .in_files = true,
                             .is_drawn = true,
                             .table_columns = {name}},
                            [&run] {
                                std::vector<double> values;
                                for (const Vec3& x : run.topology().stored().positions)
                                    values.push_back(0.01 * x.x);
                                return values;
                            });
        StateValues(own_).add("heading", heading);
        StateValues(own_).add("now", now);
    }
    StateRegistry& state() override { return own_; }
    double time() const override { return now; }
    void advance(double target) override { now = target; }
    bool steer(double turning, double faster) override {
        heading += 0.1 * turning;
        speed += faster;
        return steers;
    }
    std::vector<Marker> markers() override {
        return {{.position = {0.5, 0.5, 0}, .heading = heading, .length = 0.4, .width = 0.15}};
    }
    std::vector<SolveSummary> solves() const override { return {}; }
    void report(const Summary&) override {}

    double now = 0, heading = 0, speed = 0;
    bool steers = true;

  private:
    StateRegistry own_;
};

class WindowOrdersTest : public testing::Test {
  protected:
    WindowOrdersTest() { set_stop_patience(HUGE_VAL); }
    Communicator comm = Communicator::world();
    ScratchFolder scratch{comm};
};

std::vector<double> displacement(Simulation& simulation) {
    simulation.quantities().state_changed();
    return simulation.quantities().values("displacement");
}

// The first steps are made again with the same bits, also where steps that may fail keep a state.
TEST_F(WindowOrdersTest, TheInitialStateComesBack) {
    for (const std::string scheme : {"leapfrog", "trapezoidal"}) {
        WaveRun made(comm, scratch / scheme, {"wave.time_scheme=" + scheme});
        const auto simulation = made.run.settings.physics->simulation_in_double(made.run);
        WindowOrders orders(made.run, *simulation);
        const auto first = displacement(*simulation);
        const auto steps = [&](int count) {
            for (int i = 0; i < count; ++i) simulation->advance(simulation->time() + 0.02);
            return displacement(*simulation);
        };
        const auto then = steps(5);
        EXPECT_NE(first, then);
        for (int again = 0; again < 2; ++again) {
            EXPECT_FALSE(orders.obey({}));
            EXPECT_EQ(displacement(*simulation), again ? steps(0) : then);
            EXPECT_TRUE(orders.obey({.resets = true}));
            EXPECT_EQ(simulation->time(), 0);
            EXPECT_EQ(displacement(*simulation), first);
            EXPECT_EQ(steps(5), then);
            steps(3);
        }
    }
}

TEST_F(WindowOrdersTest, AClickPushesTheSurface) {
    WaveRun made(comm, scratch / "pushed");
    const auto simulation = made.run.settings.physics->simulation_in_double(made.run);
    WindowOrders orders(made.run, *simulation);
    const auto before = displacement(*simulation);
    const auto velocity = simulation->quantities().values("velocity");
    const Vec3 at(0.4, 0.6, 0);
    EXPECT_TRUE(orders.obey({.pushes = {{at, 0.25, 0.3}, {at, 0.25, -0.1}}}));
    const auto after = displacement(*simulation);
    EXPECT_EQ(simulation->quantities().values("velocity"), velocity);
    double most = 0;
    for (Index i = 0; i < after.size(); ++i) {
        const Vec3 p = made.run.topology().position(i);
        const double s = 1 - (std::pow(p.x - 0.4, 2) + std::pow(p.y - 0.6, 2)) / (0.25 * 0.25);
        const double bump = s > 0 ? 0.2 * s * s * s : 0;
        EXPECT_NEAR(after[i] - before[i], bump, 1e-14);
        most = std::max(most, bump);
    }
    EXPECT_GT(comm.max(most), 0.15);
}

TEST_F(WindowOrdersTest, WhatCannotBePushedStays) {
    WaveRun made(comm, scratch / "boat");
    Boat boat(made.run);
    WindowOrders orders(made.run, boat);
    EXPECT_FALSE(orders.obey({.pushes = {{Vec3(0.5), 0.1, 1}}}));
    EXPECT_FALSE(orders.obey({.pushes = {{Vec3(0.5), 0.1, 1}}}));
}

TEST_F(WindowOrdersTest, ArrowKeysSteer) {
    WaveRun made(comm, scratch / "boat");
    Boat boat(made.run);
    WindowOrders orders(made.run, boat);
    EXPECT_FALSE(orders.obey({.turning = 1}));
    EXPECT_FALSE(orders.obey({.turning = 1, .faster = -1}));
    EXPECT_NEAR(boat.heading, 0.2, 1e-14);
    EXPECT_EQ(boat.speed, -1);
    orders.obey({.is_paused = true, .turning = 1});  // a pause moves nothing
    EXPECT_NEAR(boat.heading, 0.2, 1e-14);
    boat.now = 3;
    EXPECT_TRUE(orders.obey({.resets = true}));
    EXPECT_EQ(boat.heading, 0);
    EXPECT_EQ(boat.now, 0);
    boat.steers = false;
    EXPECT_FALSE(orders.obey({.turning = -1}));
}

// The pixels of a ship's deck.
int deck(const test::Image& image) {
    int count = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const test::Rgb c = image.at(x, y);
            count += c.r > 150 && c.r - c.b >= 10 && c.r - c.b < 45 && c.g > 140;
        }
    return count;
}

TEST_F(WindowOrdersTest, ABodyIsInPicturesFlatAndRaised) {
    WaveRun made(comm, scratch / "drawn");
    Boat boat(made.run);
    RunOutput output(made.run);
    output.open(boat);
    output.start({0, 0, 0});
    output.record({1, 0.02, 0}, false);
    comm.barrier();
    if (!comm.is_root()) return;
    for (const char* name : {"flat_0000.png", "raised_0000.png"}) {
        const test::Image image(scratch / "drawn" / "pictures" / name);
        EXPECT_GT(deck(image), 300) << name;
    }
}

}  // namespace
}  // namespace solenoid::window_orders_test
