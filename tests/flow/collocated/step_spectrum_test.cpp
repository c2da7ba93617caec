// Stability of collocated momentum by the eigenvalues of its steps about frozen flows: with the
// default convection nothing grows, inside, at walls and at outlets; with central convection
// something does.
#include <gtest/gtest.h>

#include "frozen_cases.hpp"

namespace solenoid::step_spectrum_test {
namespace {

using namespace test;

constexpr double largest_growth = 1e-10;

class StepSpectrum : public testing::TestWithParam<const char*> {
  protected:
    FrozenFlow flow(const FrozenCase& one, double viscosity,
                    const std::string& convection = FlowSettings().convection) {
        return frozen(one, viscosity, settings_of(GetParam(), convection));
    }
    double rate(const FrozenCase& one, double viscosity,
                const std::string& convection = FlowSettings().convection) {
        FrozenFlow made = flow(one, viscosity, convection);
        const double found = largest_rate(made.semi_discrete(3e-3 / made.courant_rate()));
        tell("  %s, %s, viscosity %g: %.3e 1/s\n", one.name.c_str(), convection.c_str(), viscosity,
             found);
        return found;
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, StepSpectrum, testing::Values("exact", "classical"),
                         [](const auto& info) { return std::string(info.param); });

const double viscosity = 1.0 / 800;

// By other means: the eigenvalues themselves, and the growth of a flow that is advanced.
TEST_P(StepSpectrum, IsThatOfTheSteps) {
    FrozenFlow box = flow(walled_vortex(small_mesh("box", 2, 40)), viscosity);
    const double dt = 1.4 / box.courant_rate();
    const Matrix step = box.step(dt);
    const double radius = spectral_radius(step);
    EXPECT_NEAR(radius, eigenvalues(step).cwiseAbs().maxCoeff(), 1e-10 * radius);
    EXPECT_GT(radius, 1.1);
    EXPECT_NEAR(box.growth(dt, 300), radius, 0.01 * radius);
}

TEST_P(StepSpectrum, RatesAreThoseOfShortSteps) {
    FrozenFlow box = flow(through_flow(small_mesh("box", 2, 40)), viscosity);
    const double rate = largest_rate(box.semi_discrete(3e-3 / box.courant_rate())),
                 dt = 1e-2 / box.courant_rate();
    EXPECT_NEAR(std::log(spectral_radius(box.step(dt))) / dt, rate, 1e-3 * std::abs(rate));
}

TEST_P(StepSpectrum, NothingGrows) {
    const SimplexMesh box = small_mesh("box", 2, 64);
    for (const FrozenCase& one :
         {through_flow(box), entering_vortex(box), walled_vortex(box), periodic_vortices(box)})
        for (const double nu : {viscosity, 0.0}) EXPECT_LE(rate(one, nu), largest_growth);
    if (!has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    // tools/validate rates has more meshes and viscosities
    for (const auto& [kind, nu] : {std::pair("gmsh", 0.0), {"graded", viscosity}}) {
        const SimplexMesh mesh = small_mesh(kind, 2, 64);
        for (const FrozenCase& one :
             {through_flow(mesh), entering_vortex(mesh), walled_vortex(mesh)})
            EXPECT_LE(rate(one, nu), largest_growth) << kind;
    }
}

TEST_P(StepSpectrum, CentralConvectionGrowsAtOutlets) {
    if (!has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    for (const char* kind : {"gmsh", "graded"})
        EXPECT_GT(rate(through_flow(small_mesh(kind, 2, 64)), viscosity, "central"), 0.1) << kind;
}

TEST_P(StepSpectrum, StepsAreStableBeyondTheDefaultCourantNumber) {
    const SimplexMesh box = small_mesh("box", 2, 64);
    std::vector<FrozenCase> cases{through_flow(box), entering_vortex(box), walled_vortex(box),
                                  periodic_vortices(box)};
    if (has_gmsh()) cases.push_back(walled_vortex(small_mesh("gmsh", 2, 64)));
    for (const FrozenCase& one : cases) {
        FrozenFlow made = flow(one, viscosity);
        const double radius =
            spectral_radius(made.step(1.2 * FlowCase().courant / made.courant_rate()));
        tell("  %s: 1 %+.2e\n", one.name.c_str(), radius - 1);
        EXPECT_LE(radius, 1 + largest_growth) << one.name;
    }
}

}  // namespace
}  // namespace solenoid::step_spectrum_test
