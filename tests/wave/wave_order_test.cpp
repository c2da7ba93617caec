// Orders of convergence of waves, in space and in time.
#include <gtest/gtest.h>

#include "support/sample_meshes.hpp"
#include "waves.hpp"

namespace solenoid::wave_order_test {
namespace {

using namespace test;

struct Setting {
    int dimension;
    std::string scheme;
};
void PrintTo(const Setting& s, std::ostream* out) { *out << s.dimension << "D, " << s.scheme; }

class WaveOrder : public testing::TestWithParam<Setting> {
  protected:
    // Mesh and step shrink together.
    static double order(const WaveCase& wave, int dimension, const Formula& exact) {
        std::vector<double> errors, sizes;
        for (const std::size_t cells : dimension == 2 ? std::vector<std::size_t>{1600, 25600}
                                                      : std::vector<std::size_t>{6000, 96000}) {
            const double h = std::pow(double(cells), -1.0 / dimension);
            Waves<double> problem(sample::box(dimension, cells), wave);
            const double limit = problem.solver.step_limit();
            problem.go(0.9, static_cast<int>(
                                std::ceil(0.9 / (std::isfinite(limit) ? 0.9 * limit : 0.5 * h))));
            errors.push_back(problem.error(exact));
            sizes.push_back(h);
        }
        return std::log(errors[0] / errors[1]) / std::log(sizes[0] / sizes[1]);
    }
};

TEST_P(WaveOrder, OfAStandingWaveIsTwo) {
    const auto& [dimension, scheme] = GetParam();
    EXPECT_GT(order(standing_wave(dimension, scheme), dimension, standing()), 1.85);
}

TEST_P(WaveOrder, BetweenMovedSidesWithASourceIsTwo) {
    const auto& [dimension, scheme] = GetParam();
    EXPECT_GT(order(moved_sides(dimension, scheme), dimension, formula(moved)), 1.85);
}

// On one mesh, against the finest step: what is left is the error in time.
TEST_P(WaveOrder, InTimeAloneIsTwo) {
    const auto& [dimension, scheme] = GetParam();
    std::vector<std::vector<double>> ends;
    for (const int steps : {40, 80, 1280}) {
        Waves<double> problem(sample::box(dimension, 200), standing_wave(dimension, scheme));
        problem.go(1, steps);
        ends.push_back(problem.solver.displacement());
    }
    const auto distance = [&](int k) {
        double square = 0;
        for (std::size_t i = 0; i < ends[2].size(); ++i)
            square += std::pow(ends[k][i] - ends[2][i], 2);
        return std::sqrt(square);
    };
    EXPECT_NEAR(std::log2(distance(0) / distance(1)), 2, 0.15);
}

INSTANTIATE_TEST_SUITE_P(Schemes, WaveOrder,
                         testing::Values(Setting{2, "leapfrog"}, Setting{2, "trapezoidal"},
                                         Setting{3, "leapfrog"}, Setting{3, "trapezoidal"}));

}  // namespace
}  // namespace solenoid::wave_order_test
