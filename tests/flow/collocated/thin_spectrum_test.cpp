// Stability of collocated momentum in thin cells by the eigenvalues of its steps, at rest and
// moving, by both methods: of steps that are short and very long for diffusion through the thinnest
// cells. And what a velocity keeps of itself through flux, projection and reconstruction.
#include <gtest/gtest.h>

#include "flux_round.hpp"
#include "thin_cases.hpp"

namespace solenoid::thin_spectrum_test {
namespace {

using namespace test;

constexpr double viscosity = 0.1;
// A closed fluid's pressure keeps a constant for ever: by the classical method 1 is an eigenvalue.
constexpr double largest = 1 + 1e-10;
constexpr auto alike = Diagonals::alike, alternating = Diagonals::alternating;

class ThinSpectrum : public testing::TestWithParam<const char*> {
  protected:
    std::string method() const { return GetParam(); }
    // With a tolerance that thin cells make tighter: of 1e-9 rounding leaves what there is to
    // solve.
    FrozenFlow flow(const FrozenCase& one) const {
        return FrozenFlow(one.mesh, viscosity, one.boundaries, one.velocity,
                          settings_of(method(), FlowSettings().convection), 1e-9);
    }
    // numbers: viscosity times step over the square of the thinnest height.
    void expect_rest_decays(const FrozenCase& one,
                            const std::vector<double>& numbers = {1, 100, 1e4}) const {
        FrozenFlow made = flow(one);
        const double height = thinnest(one.mesh);
        for (const double number : numbers) {
            const double radius = spectral_radius(made.step(number * height * height / viscosity));
            tell("  %s, %s, %g: 1 %+.2e\n", one.name.c_str(), GetParam(), number, radius - 1);
            EXPECT_LE(radius, largest) << one.name << ", " << number;
        }
    }
    void expect_flow_is_stable(const FrozenCase& one) const {
        FrozenFlow made = flow(one);
        const double radius = spectral_radius(made.step(0.5 / made.courant_rate()));
        tell("  %s, %s: 1 %+.2e\n", one.name.c_str(), GetParam(), radius - 1);
        EXPECT_LE(radius, largest) << one.name;
    }
    // R (1 - P) I is what the pressure takes from a velocity: nothing of one that is free of
    // divergence, all of a gradient. BDF2 bears 4/3 of it.
    void expect_takes_a_part(const FrozenCase& one) const {
        const Eigen::VectorXcd found = eigenvalues(FluxRound(one).matrix(method()));
        const double least = found.real().minCoeff(), most = found.real().maxCoeff(),
                     turning = found.imag().maxCoeff();
        tell("  %s, %s: %.1e to %.3f, +-%.1e i\n", one.name.c_str(), GetParam(), least, most,
             turning);
        EXPECT_GT(least, -1e-9) << one.name;
        EXPECT_LT(most, 4.0 / 3) << one.name;
        EXPECT_LT(turning, 0.1) << one.name;
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, ThinSpectrum, testing::Values("exact", "classical"),
                         [](const auto& info) { return std::string(info.param); });

SimplexMesh flat(double aspect, Diagonals diagonals) {
    return flat_layers(4, aspect, diagonals, 2, 6);
}

TEST_P(ThinSpectrum, OfFlatLayers) {
    expect_rest_decays(closed_along("flat, 100, alike", flat(100, alike)));
    expect_rest_decays(in_cavity("flat, 100, alternating", flat(100, alternating)), {1e4});
    expect_rest_decays(with_outlet("flat, 1000, alike", flat(1000, alike)), {1, 1e4});
}

TEST_P(ThinSpectrum, OfCellsGradedAcross) {
    expect_rest_decays(with_outlet("graded, 1 to 1000, alike", graded_across(4, 6, 1000, alike)));
    expect_rest_decays(
        in_cavity("graded, 1 to 1000, alternating", graded_across(4, 6, 1000, alternating)), {1e4});
}

TEST_P(ThinSpectrum, OfCurvedLayers) {
    expect_rest_decays(with_outlet("arc, 100, alike", arc_layers(4, 6, 100, 7, alike)), {1, 1e4});
    expect_rest_decays(in_cavity("arc, 100, alternating", arc_layers(4, 6, 100, 7, alternating)),
                       {1e4});
    expect_rest_decays(in_cavity("ring, 13, alternating", ring_layers(12, 13, alternating, 4)),
                       {100});
}

// The classical method does not bear single cells: the difference of the pressure between centres
// that lie nearly beside their face is many times its gradient.
TEST_P(ThinSpectrum, OfThinCellsAmidGoodOnes) {
    expect_rest_decays(with_outlet("row, 100, alike", thin_row(4, 5, 100, alike)));
    if (method() == "exact")
        expect_rest_decays(in_cavity("two thin cells, 100", thin_cells_within(50, 100)));
}

TEST_P(ThinSpectrum, OfFlowAlongLayers) {
    FrozenCase couette = closed_along("Couette's flow", flat(100, alike));
    couette.velocity = vector_formula({"y", "0", "0"});
    couette.boundaries[1] = side("ymax", "wall", {at_start("1"), "0", "0"});
    expect_flow_is_stable(couette);
    expect_flow_is_stable(through_flow(flat(100, alternating)));
    expect_flow_is_stable(through_flow(graded_across(4, 6, 1000, alike)));
}

TEST_P(ThinSpectrum, OfTheRoundThroughFluxes) {
    for (const double aspect : {100, 1000})
        for (const Diagonals diagonals : {alike, alternating}) {
            expect_takes_a_part(closed_along("flat", flat(aspect, diagonals)));
            expect_takes_a_part(in_cavity("flat", flat(aspect, diagonals)));
            expect_takes_a_part(with_outlet("flat", flat(aspect, diagonals)));
            expect_takes_a_part(with_outlet("graded", graded_across(4, 6, aspect, diagonals)));
            expect_takes_a_part(with_outlet("arc", arc_layers(4, 6, aspect, 7, diagonals)));
        }
    expect_takes_a_part(with_outlet("row", thin_row(4, 5, 100, alike)));
    if (method() == "exact")
        expect_takes_a_part(in_cavity("two thin cells", thin_cells_within(50, 1000)));
}

TEST(ThinDiffusion, DampsEveryVelocity) {
    std::vector<FrozenCase> cases{in_cavity("two thin cells", thin_cells_within(50, 1000))};
    for (const Diagonals diagonals : {alike, alternating}) {
        cases.push_back(with_outlet("flat", flat(1000, diagonals)));
        cases.push_back(with_outlet("graded", graded_across(4, 6, 1000, diagonals)));
        cases.push_back(with_outlet("arc", arc_layers(4, 6, 100, 20, diagonals)));
        cases.push_back(with_outlet("row", thin_row(4, 5, 1000, diagonals)));
    }
    for (const FrozenCase& one : cases) {
        const double least = eigenvalues(FluxRound(one).diffusion()).real().minCoeff();
        tell("  %s: %g 1/m^2\n", one.name.c_str(), least);
        EXPECT_GT(least, 1) << one.name;
    }
}

}  // namespace
}  // namespace solenoid::thin_spectrum_test
