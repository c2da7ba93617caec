// Steps that fail, of each physics: taken back, and repeated at half their length. They must leave
// what steps of half the length leave by themselves, to the bit.
#include "run/step_repeats.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>

#include "app/physics.hpp"
#include "core/log.hpp"
#include "run/simulation.hpp"
#include "wave/wave_case.hpp"

namespace solenoid::step_repeats_test {
namespace {

using Words = std::vector<std::string>;
using Of = QuantityInfo::Of;

RunOptions options_of_tests() {
    RunOptions options;
    options.device = "cpu";
    options.transport = "mpi";
    options.threads = 1;
    return options;
}

// A case at work, step by step.
class AtWork {
  public:
    AtWork(const Communicator& comm, Words keys, const Words& more)
        : options_(options_of_tests()), run(comm, options_) {
        keys.insert(keys.end(), more.begin(), more.end());
        run.all = all_physics();
        comm.agree([&] { run.settings = case_of_keys("test", keys, run.all); });
        set_up(run);
        simulation = run.settings.physics->simulation_in_double(run);
    }
    // Steps that end at these times; returns the number of further steps that were repeated.
    std::int64_t advance(const std::vector<double>& times) {
        const std::int64_t before = run.summary.repeated_steps;
        for (const double end : times)
            while (simulation->time() < end) {
                simulation->advance(end);
                simulation->end_step();
                simulation->quantities().state_changed();
            }
        return run.summary.repeated_steps - before;
    }
    // All that it tells.
    std::vector<std::uint64_t> bits() {
        std::vector<std::uint64_t> all{std::bit_cast<std::uint64_t>(simulation->time())};
        for (const QuantityInfo& info : simulation->quantities().list()) {
            if (info.of != Of::nodes && info.of != Of::cells) continue;
            for (const double value : simulation->quantities().values(info.name, info.of))
                all.push_back(std::bit_cast<std::uint64_t>(value));
        }
        return all;
    }

  private:
    const RunOptions options_;

  public:
    Run run;
    std::unique_ptr<Simulation> simulation;
};

struct Failing {
    std::string name;
    Words keys;    // of a case in which a step of 1/8 s fails, and two of half the length do not
    Words enough;  // with which none fails
};

Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

const Words box{"mesh.box.cells=300", "mesh.box.dimension=2"};

const Words heat =
    joined(box, {"physics=heat",
                 "material.default={conductivity=1, heat_capacity=1, source=\"9*exp(2*t)*x\"}",
                 "boundary.xmin={type=\"temperature\", value=\"sin(3*t)\"}",
                 "boundary.xmax.type=insulated", "boundary.ymin.type=insulated",
                 "boundary.ymax.type=insulated", "initial.temperature=x*y", "time.end=1"});
const Words wave =
    joined(box, {"physics=wave", "wave={speed=1, time_scheme=\"trapezoidal\", source=\"x*t\"}",
                 "boundary.default={type=\"fixed\", value=\"sin(2*t)*x\"}",
                 "initial.displacement=x*y", "time.end=1", "time.step=0.125"});
const Words flow = joined(box, {"physics=flow", "fluid.viscosity=0.05", "boundary.xmin.type=wall",
                                "boundary.xmax.type=wall", "boundary.ymin.type=wall",
                                "boundary.ymax={type=\"wall\", velocity=[\"1e-3*sin(6*t)\", 0]}",
                                "solver.stream_function.tolerance=1e-11", "time.end=1"});

Words few(const std::string& solver, int most, const std::string& tolerance = "1e-11") {
    return {"solver." + solver + "={preconditioner=\"jacobi\", tolerance=" + tolerance +
            ", max_iterations=" + std::to_string(most) + "}"};
}

class StepRepeatsTest : public testing::Test {
  protected:
    StepRepeatsTest() { log::configure(true, true); }
    ~StepRepeatsTest() override { log::configure(!comm.is_root(), false); }

    // Whether both have the same bits on all ranks.
    bool are_same(AtWork& a, AtWork& b) {
        const auto of_a = a.bits(), of_b = b.bits();
        return !comm.any(of_a != of_b);
    }
    // Fixed steps of 1/8 s: the first is repeated once, the second so often.
    void expect_halves(const Words& keys, const Words& too_few, const Words& enough, int second) {
        AtWork a(comm, keys, too_few), b(comm, keys, enough), whole(comm, keys, enough);
        EXPECT_EQ(a.advance({0.125}), 1);
        EXPECT_EQ(a.advance({0.25}), second);
        EXPECT_EQ(b.advance({0.0625, 0.125}), 0);
        EXPECT_EQ(b.advance(second ? std::vector{0.1875, 0.25} : std::vector{0.25}), 0);
        EXPECT_EQ(whole.advance({0.125, 0.25}), 0);
        EXPECT_TRUE(are_same(a, b));
        EXPECT_FALSE(are_same(a, whole));
    }
    // Fixed steps of 1/8 s of which the third is repeated once: the two before are made again.
    void expect_third_is_halved(const Words& keys, const Words& too_few, const Words& enough) {
        AtWork a(comm, keys, too_few), b(comm, keys, enough);
        EXPECT_EQ(a.advance({0.125, 0.25}), 0);
        EXPECT_EQ(a.advance({0.375}), 1);
        b.advance({0.125, 0.25, 0.3125, 0.375});
        EXPECT_TRUE(are_same(a, b));
    }
    // A first step that the run chooses: repeated once, as if it had been asked for so long.
    void expect_half_first_step(const Words& keys, const Words& too_few, const Words& enough) {
        AtWork a(comm, keys, joined(too_few, {"time.first_step=0.125"})),
            whole(comm, keys, joined(enough, {"time.first_step=0.125"}));
        const auto make_one = [](AtWork& one) {
            one.simulation->advance(1);
            one.simulation->quantities().state_changed();
        };
        make_one(a);
        make_one(whole);
        EXPECT_EQ(a.run.summary.repeated_steps, 1);
        EXPECT_EQ(whole.run.summary.repeated_steps, 0);
        const double half = whole.simulation->time() / 2;
        EXPECT_EQ(a.simulation->time(), half);
        AtWork b(comm, keys, joined(enough, {fmt::format("time.first_step={:.17g}", half)}));
        make_one(b);
        EXPECT_TRUE(are_same(a, b));
    }
    // A failure that does not go away.
    void expect_end(const Words& keys, const Words& hopeless, const std::string& message) {
        for (const int retries : {0, 3}) {
            AtWork a(comm, keys, joined(hopeless, {"time.retries=" + std::to_string(retries)}));
            try {
                a.advance({0.125});
                ADD_FAILURE() << "the step was made";
            } catch (const AgreedError& error) {
                EXPECT_EQ(error.exit_code(), 1);
                EXPECT_NE(std::string(error.what()).find(message), std::string::npos)
                    << error.what();
            }
            EXPECT_EQ(a.run.summary.repeated_steps, retries);
        }
    }
    const Communicator comm = Communicator::world();
};

TEST_F(StepRepeatsTest, OfHeat) {
    const Words fixed = joined(heat, {"time.step=0.125"});
    expect_halves(fixed, few("temperature", 50), few("temperature", 1000), 1);
    expect_end(fixed, few("temperature", 1), "temperature at t = ");
}
TEST_F(StepRepeatsTest, OfHeatInChosenSteps) {
    const Words loose = joined(heat, {"time.tolerance=0.9"});
    expect_half_first_step(loose, few("temperature", 50), few("temperature", 1000));
    expect_end(joined(loose, {"time.first_step=0.125"}), few("temperature", 1),
               "temperature at t = ");
}
// Beyond all bounds for an instant, which the third step asks for alone: at t + (2 - sqrt(2)) dt.
TEST_F(StepRepeatsTest, OfHeatAfterWholeSteps) {
    expect_third_is_halved(joined(heat, {"time.step=0.125",
                                         "boundary.xmin.value=\"sin(3*t)+1e300*exp(-((t-"
                                         "0.3232233047)/1e-4)^2)\""}),
                           {}, {});
}

TEST_F(StepRepeatsTest, OfWaves) {
    expect_halves(wave, few("displacement", 17), few("displacement", 1000), 1);
    expect_end(wave, few("displacement", 1), "displacement at t = ");
}
// A step that follows those has the whole length again.
TEST_F(StepRepeatsTest, GoOnAtTheWholeLength) {
    AtWork a(comm, wave, few("displacement", 17)), b(comm, wave, few("displacement", 1000));
    EXPECT_EQ(a.advance({0.125}), 1);
    settings_of<WaveCase>(a.run.settings).solver.max_iterations = 1000;
    EXPECT_EQ(a.advance({0.25, 0.375}), 0);
    b.advance({0.0625, 0.125, 0.25, 0.375});
    EXPECT_TRUE(are_same(a, b));
}

TEST_F(StepRepeatsTest, OfFlow) {
    const Words fixed = joined(flow, {"time.step=0.125"});
    expect_halves(fixed, few("momentum", 44), few("momentum", 1000), 0);
    expect_end(fixed, few("momentum", 1), "momentum at t = ");
}
TEST_F(StepRepeatsTest, OfFlowInChosenSteps) {
    const Words loose = joined(flow, {"time.tolerance=0.9"});
    expect_half_first_step(loose, few("momentum", 38), few("momentum", 1000));
    expect_end(joined(loose, {"time.first_step=0.125"}), few("momentum", 1), "momentum at t = ");
}
// Its viscosity grows, so that a step takes more iterations than the one before.
TEST_F(StepRepeatsTest, OfFlowAfterWholeSteps) {
    expect_third_is_halved(joined(flow, {"time.step=0.125", "fluid.viscosity=\"0.01+0.4*t^2\""}),
                           few("momentum", 47), few("momentum", 1000));
}
// The length of such steps follows the Courant number alone.
TEST_F(StepRepeatsTest, OfRotationalFlow) {
    const Words rotational = joined(flow, {"flow.momentum=rotational"});
    const Words fixed = joined(rotational, {"time.step=0.125"});
    expect_halves(fixed, few("momentum", 23), few("momentum", 1000), 1);
    expect_half_first_step(rotational, few("momentum", 15), few("momentum", 1000));
    expect_end(fixed, few("momentum", 1), "momentum at t = ");
}

}  // namespace
}  // namespace solenoid::step_repeats_test
