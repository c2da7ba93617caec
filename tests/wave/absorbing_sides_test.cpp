// Sides that absorb waves and let them in, against exact solutions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "support/sample_meshes.hpp"
#include "waves.hpp"

namespace solenoid::absorbing_sides_test {
namespace {

using namespace test;

struct Setting {
    int dimension;
    std::string scheme;
};
void PrintTo(const Setting& s, std::ostream* out) { *out << s.dimension << "D, " << s.scheme; }

class AbsorbingSides : public testing::TestWithParam<Setting> {
  protected:
    WaveCase wave(const std::string& speed) const {
        WaveCase wave;
        wave.wave.speed = formula(speed);
        wave.wave.time_scheme = GetParam().scheme;
        return wave;
    }
    // The errors in displacement on two meshes, sizes and steps halved. Steps keep away from the
    // limit, near which the errors of mesh and step cancel in part.
    std::array<double, 2> errors(const WaveCase& wave, const Formula& exact, double end) const {
        const int dimension = GetParam().dimension;
        std::array<double, 2> errors{};
        std::size_t cells = dimension == 2 ? 1600 : 6000;
        for (double& error : errors) {
            Waves<double> problem(sample::box(dimension, cells), wave);
            const double limit = problem.solver.step_limit();
            const double h = std::pow(double(cells), -1.0 / dimension);
            problem.go(end, static_cast<int>(
                                std::ceil(end / (std::isfinite(limit) ? 0.4 * limit : 0.5 * h))));
            error = problem.error(exact);
            cells *= dimension == 2 ? 16 : 8;
        }
        return errors;
    }
    double refinement() const { return GetParam().dimension == 2 ? 4 : 2; }
};

// In along x at one end, out at the other: an outgoing wave hits no side at an angle, so that the
// condition is exact. At the end the pulse is half out.
TEST_P(AbsorbingSides, LetAPlaneWaveThrough) {
    const int sharp = GetParam().dimension == 2 ? 40 : 8;  // the meshes in 3D are coarse
    const std::string exact = fmt::format("exp(-{}*(2*t - x - 0.6)^2)", sharp);
    WaveCase let_through = wave("2");
    let_through.initial_displacement = formula(fmt::format("exp(-{}*(x + 0.6)^2)", sharp));
    let_through.initial_velocity =
        formula(fmt::format("{}*(x + 0.6)*exp(-{}*(x + 0.6)^2)", 4 * sharp, sharp));
    let_through.boundaries = all(GetParam().dimension, "free");
    let_through.boundaries[0] = boundary("xmin", "absorbing", exact);
    let_through.boundaries[1] = boundary("xmax", "absorbing");
    const auto [coarse, fine] = errors(let_through, formula(exact), 0.8);
    if (GetParam().dimension == 3) {  // too coarse for an order
        EXPECT_LT(fine, 0.004);
        return;
    }
    EXPECT_LT(fine, 0.05);
    EXPECT_GT(std::log(coarse / fine) / std::log(refinement()), 1.8);
}

// On every side the incident wave is the whole solution, which passes at an angle.
TEST_P(AbsorbingSides, TakeAnyIncidentWave) {
    const std::string exact = "sin(3*x + 4*y - 10*t)";  // c = 2
    WaveCase taken = wave("2");
    taken.boundaries = all(GetParam().dimension, "absorbing", exact);
    taken.initial_displacement = formula("sin(3*x + 4*y)");
    taken.initial_velocity = formula("-10*cos(3*x + 4*y)");
    const auto [coarse, fine] = errors(taken, formula(exact), 0.7);
    EXPECT_LT(fine, 0.02);
    EXPECT_GT(std::log(coarse / fine) / std::log(refinement()), 1.8);
}

INSTANTIATE_TEST_SUITE_P(Schemes, AbsorbingSides,
                         testing::Values(Setting{2, "leapfrog"}, Setting{2, "trapezoidal"},
                                         Setting{3, "leapfrog"}, Setting{3, "trapezoidal"}));

// y = cos(pi y) exp(-i w t) (exp(i k x) + R exp(-i k (x - 2))) between free walls: the side x = 1
// reflects R = (k c - w) / (k c + w), which is no small part at an angle. With c = 1, k = pi, w =
// sqrt(2) pi.
TEST(AbsorbingSide, ReflectsAtAnAngleWhatItShould) {
    const double k = std::numbers::pi, w = std::sqrt(2.0) * k, r = (k - w) / (k + w);
    const auto part = [&](bool imaginary) {
        // of exp(i k x) + r exp(2 i k) exp(-i k x)
        return imaginary ? fmt::format("(sin(pi*x) + ({0})*sin(2*pi - pi*x))", r)
                         : fmt::format("(cos(pi*x) + ({0})*cos(2*pi - pi*x))", r);
    };
    const std::string exact =
        fmt::format("cos(pi*y)*({0}*cos({2}*t) + {1}*sin({2}*t))", part(false), part(true), w);
    WaveCase wave;
    wave.wave.time_scheme = "leapfrog";
    wave.boundaries = all(2, "free");
    wave.boundaries[0] = boundary("xmin", "fixed", exact);
    wave.boundaries[1] = boundary("xmax", "absorbing");
    wave.initial_displacement = formula("cos(pi*y)*" + part(false));
    wave.initial_velocity = formula(fmt::format("{}*cos(pi*y)*{}", w, part(true)));
    Waves<double> problem(sample::box(2, 6400), wave);
    problem.go(2, static_cast<int>(std::ceil(2 / (0.9 * problem.solver.step_limit()))));
    EXPECT_LT(problem.largest_error(formula(exact)), 0.01);
    EXPECT_GT(std::abs(r), 0.17);  // what would be missing
}

// The limit of the steps is that of the mesh: nothing grows just below it, and all leaves.
TEST(AbsorbingSide, TakesTheEnergyAtTheLimitOfTheStep) {
    for (const char* scheme : {"leapfrog", "trapezoidal"}) {
        WaveCase wave;
        wave.wave = {formula("1 + 0.5*y"), 0.0, scheme};
        wave.boundaries = all(2, "absorbing");
        wave.initial_displacement = formula("exp(-60*((x-0.4)^2 + (y-0.6)^2))");
        wave.initial_velocity = formula("sin(31*x)*cos(29*y)");
        wave.solver.tolerance = 1e-12;
        Waves<double> problem(sample::box(2, 900), wave);
        const double limit = problem.solver.step_limit();
        const double dt = std::isfinite(limit) ? 0.999 * limit : 0.01;
        const double before = problem.solver.energy().total();
        while (problem.solver.time() < 12) problem.solver.step(dt);
        EXPECT_LT(problem.solver.energy().total(), 1e-3 * before) << scheme;
    }
}

}  // namespace
}  // namespace solenoid::absorbing_sides_test
