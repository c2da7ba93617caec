// Waves that are continued from their saved state: the same bits as those that went on, and no
// entry of the state without an effect.
#include <gtest/gtest.h>

#include "support/sample_meshes.hpp"
#include "support/saved_states.hpp"
#include "waves.hpp"

namespace solenoid::wave_state_test {
namespace {

using namespace test;

class ContinuedWave final : public Continued {
  public:
    ContinuedWave(const WaveCase& wave, const Communicator& comm)
        : waves_(sample::box(2, 150), wave, "cpu", comm) {}
    const Communicator& comm() const override { return waves_.comm; }
    StateRegistry& state() override { return waves_.solver.state(); }
    void step(int number) override {
        constexpr double lengths[] = {1, 1.1, 0.9, 1.3, 0.8, 1.2, 1};
        if (number == 2) waves_.solver.restart();
        waves_.solver.step(0.01 * lengths[number % 7]);
    }
    Results results(bool) override {
        const WaveEnergy energy = waves_.solver.energy();
        const SolveTotals solves = waves_.solver.solves();
        return {waves_.solver.displacement(),
                waves_.solver.velocity(),
                {energy.kinetic, energy.potential, waves_.solver.time()},
                {double(solves.count), double(solves.iterations), solves.residual}};
    }

  private:
    Waves<double> waves_;
};

// A side that moves, one through which waves come in and leave, and a source that swells.
WaveCase driven(const std::string& scheme, const std::string& preconditioner) {
    WaveCase wave;
    wave.wave = {formula("1 + 0.5*x"), formula("10*sin(20*t)*y"), scheme};
    wave.boundaries = all(2, "free");
    wave.boundaries[0] = boundary("xmin", "fixed", "0.1*sin(15*t)*y");
    wave.boundaries[1] = boundary("xmax", "absorbing", "0.1*sin(15*t + 9*x)");
    wave.initial_displacement = formula("x*exp(-20*((x-0.4)^2 + (y-0.6)^2))");
    wave.solver.preconditioner = preconditioner;
    return wave;
}

const std::vector<std::pair<std::string, std::string>> schemes{
    {"leapfrog", "jacobi"}, {"trapezoidal", "jacobi"}, {"trapezoidal", "multigrid"}};

TEST(WaveState, HasWhatStepsDependOnAndNoMore) {
    Omissions omissions;
    for (const auto& [scheme, preconditioner] : schemes) {
        SCOPED_TRACE(scheme + ", " + preconditioner);
        expect_continues(
            [&] {
                return std::make_unique<ContinuedWave>(driven(scheme, preconditioner),
                                                       Communicator::world());
            },
            3, 3, &omissions);
    }
    omissions.expect_none_idle();
}

// From one rank to all.
TEST(WaveState, IsLoadedByAnyNumberOfRanks) {
    for (const auto& [scheme, preconditioner] : schemes) {
        SCOPED_TRACE(scheme + ", " + preconditioner);
        WaveCase wave = driven(scheme, preconditioner);
        wave.solver.tolerance = 1e-13;
        expect_continues_on(
            [&] { return std::make_unique<ContinuedWave>(wave, Communicator::self()); },
            [&] { return std::make_unique<ContinuedWave>(wave, Communicator::world()); }, 3,
            {"wave/displacement", "wave/velocity"}, 1e-9);
    }
}

}  // namespace
}  // namespace solenoid::wave_state_test
