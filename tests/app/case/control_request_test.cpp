// Requests of control.toml: what they say of a run, and what is refused.
#include "case/control_request.hpp"

#include <gtest/gtest.h>

#include "app/physics.hpp"
#include "core/error.hpp"

namespace solenoid::control_request_test {
namespace {

const CaseText heat{"/tmp/plate.toml", R"(name = "plate"
[mesh.box]
cells = 100
[material.default]
conductivity = 1
heat_capacity = 1
[boundary.default]
type = "insulated"
[initial]
temperature = 1
[time]
end = 10
tolerance = 1e-3
[output]
every = 2
)"};

ControlRequest asked(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return read_control(text, "control.toml", heat, overrides, all_physics());
}

using Texts = std::vector<std::string>;

TEST(ControlRequest, HasWhatItsTextAsksFor) {
    const ControlRequest write = asked("write = true\n");
    EXPECT_TRUE(write.write && !write.stop && !write.stop_at_step && write.changes.empty());
    const ControlRequest stop = asked("stop = true\nstop_at_step = 7\nstop_at_time = 0.5\n");
    EXPECT_TRUE(stop.stop && !stop.write);
    EXPECT_EQ(stop.stop_at_step, 7);
    EXPECT_EQ(stop.stop_at_time, 0.5);
    EXPECT_EQ(stop.settings.time.end, 10);
}

// The settings are those of the case with the changes, and the changes are overrides that give the
// same.
TEST(ControlRequest, ChangesKeysOfTheCase) {
    const ControlRequest request =
        asked("[time]\nend = 20\ntolerance = 0.1\nlargest_step = 0.30000000000000004\nsteps = 9\n");
    EXPECT_EQ(request.settings.time.end, 20);
    EXPECT_EQ(request.settings.time.tolerance, 0.1);
    EXPECT_EQ(request.settings.time.largest_step, 0.1 + 0.2);
    EXPECT_EQ(request.settings.time.steps, 9);
    EXPECT_EQ(request.settings.output.every, 2);
    const CaseSettings again = read_case(heat, all_physics(), request.changes);
    EXPECT_EQ(again.time.end, 20);
    EXPECT_EQ(again.time.largest_step, 0.1 + 0.2);
    EXPECT_EQ(again.time.steps, 9);
    // what was changed before stays
    EXPECT_EQ(asked("[time]\nend = 30.0\n", request.changes).settings.time.steps, 9);
}

TEST(ControlRequest, TakesThePlaceOfAKeyThatItExcludes) {
    const ControlRequest request = asked("[output]\ninterval = 0.5\n");
    EXPECT_EQ(request.settings.output.interval, 0.5);
    EXPECT_FALSE(request.settings.output.every);
    EXPECT_EQ(request.changes, Texts{"output.interval=0.5"});
    EXPECT_EQ(asked("[output]\nwall_interval = 2\n", request.changes).settings.output.wall_interval,
              2);
}

// A request of this name is a checkpoint now, the table says when there is one.
TEST(ControlRequest, ChangesWhenThereAreCheckpoints) {
    EXPECT_TRUE(asked("checkpoint = true\n").checkpoint);
    const ControlRequest interval = asked("[checkpoint]\ninterval = 0.5\n");
    EXPECT_FALSE(interval.checkpoint);
    EXPECT_EQ(interval.changes, Texts{"checkpoint.interval=0.5"});
    EXPECT_EQ(interval.settings.checkpoint.interval, 0.5);
    EXPECT_FALSE(interval.settings.checkpoint.wall_interval);
    const ControlRequest every = asked("write = true\n[checkpoint]\nevery = 7\n", interval.changes);
    EXPECT_TRUE(every.write && !every.checkpoint);
    EXPECT_EQ(every.settings.checkpoint.every, 7);
    EXPECT_FALSE(every.settings.checkpoint.interval);
    EXPECT_EQ(asked("checkpoint = {wall_interval = 60.0}\n").settings.checkpoint.wall_interval, 60);
}

TEST(ControlRequest, IsRefusedWithItsPlaceAndARemedy) {
    const Texts fixed{"time={end=10, step=0.5}"};
    const struct {
        std::string text, said;
        Texts overrides = {};
    } requests[] = {
        {"stop = maybe\n", "control.toml:1: not valid TOML"},
        {"\nstpo = true\n", "control.toml:2: unknown key \"stpo\"; did you mean \"stop\"?"},
        {"stop = 1\n", "control.toml:1: stop must be"},
        {"stop_at_step = 0\n", "control.toml:1: stop_at_step must be"},
        {"write = false\n", "asks for nothing: give write, checkpoint, stop,"},
        {"[time]\nnd = 3\n", "control.toml:2: unknown key \"nd\" in [time]; did you mean \"end\"?"},
        {"[time]\nstep = 3.0\n",
         "control.toml:2: [time] step cannot change while the case runs; these can: "},
        {"[time]\ntolerance = 0.1\n",
         "control.toml:2: [time] tolerance goes not together with step of the case", fixed},
        {"[time]\nend = -1\n", "control.toml:2: [time] end must be"},
        {"[time]\nend = [1, 2]\n", "control.toml:2: [time] end must be a plain value"},
        {"[output]\nevery = 3\ninterval = 2.0\n", "[output] every and \"interval\": give one"},
        {"[output]\ninterval = 1e-300\n",
         "control.toml:2: [output] interval must be at least 1e-13 of time.end, which is 10 s"},
        {"[time]\nend = 1e15\n",
         "control.toml:2: [time] end is too late for [checkpoint] interval = 1 s (--set "
         "checkpoint.interval)",
         Texts{"checkpoint.interval=1.0"}},
        {"[checkpoint]\ninterval = 1e-300\n",
         "control.toml:2: [checkpoint] interval must be at least 1e-13 of time.end"},
        {"[checkpoint]\nkeep = 3\n",
         "control.toml:2: [checkpoint] keep cannot change while the case runs; these can: "},
        {"checkpoint = 1\n", "control.toml:1: checkpoint must be true or false"},
        {"[mesh]\nscale = 2.0\n", "control.toml:1: unknown key \"mesh\""},
        {"time = 3\n", "control.toml:1: "}};
    for (const auto& request : requests) {
        try {
            asked(request.text, request.overrides);
            ADD_FAILURE() << request.text;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(request.said), std::string::npos)
                << error.what();
        }
    }
}

}  // namespace
}  // namespace solenoid::control_request_test
