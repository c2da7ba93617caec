// What a flow's run tells of thin layers, and when it warns.
#include "flow/run/thin_cells.hpp"

#include <gtest/gtest.h>

#include "flow/momentum_kinds.hpp"
#include "parallel/slices/distribute.hpp"
#include "run/simplices/simplices.hpp"
#include "support/boundaries.hpp"
#include "support/rows_of_triangles.hpp"

namespace solenoid::thin_cells_test {
namespace {

// Each kind of momentum has bounds of its own; this one is the default.
ThinLayerBounds bounds(const FlowSettings& flow = {}) {
    return momentum_kind(flow.momentum).thin_layers(flow);
}

class ThinCellsTest : public testing::Test {
  protected:
    ThinCellsTest() : comm(Communicator::world()), run(comm, options) {
        run.settings.mesh.file = "/somewhere/layers.msh";
        run.settings.own = FlowCase{};
        flow().boundaries = {test::boundary("low", "wall"), test::boundary("high", "wall"),
                             test::boundary("ends", "symmetry")};
        test::move(flow().boundaries[1], test::vector_formula({"1", "0", "0"}));
    }
    FlowCase& flow() { return settings_of<FlowCase>(run.settings); }
    void take(SimplexMesh&& mesh) {
        run.mesh = std::make_unique<Simplices>(
            distribute(comm, comm.is_root() ? std::optional(std::move(mesh)) : std::nullopt));
    }
    // Eight columns, 0.5 m wide, on walls; `aspect`: at the lower one.
    void take_flat(double aspect) {
        take(test::rows_of_triangles(8, {0.5 / aspect, 0.3, 0.08}, false,
                                     [](double x, double y) { return Vec3(0.5 * x, y, 0); }));
    }
    static constexpr int round = 24;
    static double angle() { return 2 * M_PI / round; }
    // Round the inner wall, of radius 0.5 m: chords with a cell of this height over each.
    void take_ring(double height) {
        take(test::rows_of_triangles(round, {height, 0.2, 0.3}, true, [](double x, double y) {
            const double r = 0.5 + y;
            return Vec3(r * std::cos(angle() * x), -r * std::sin(angle() * x), 0);
        }));
    }
    // The height at which the inner wall has a product of aspect and length over radius.
    static double height_of(double product) {
        return 2 * 0.5 * std::tan(angle() / 2) * angle() / product;
    }
    const std::vector<std::string>& names() { return simplices_of(run).mesh.mesh.boundaries; }
    ThinLayers layers() { return thin_layers(comm, simplices_of(run).mesh); }
    std::string line() { return thin_line(thin_cells(layers(), names(), flow())); }
    std::vector<std::string> warnings() {
        return thin_warnings(layers(), names(), flow(), "layers.msh");
    }
    // What a run prints to standard error at its start; here every rank does.
    std::string told() {
        testing::internal::CaptureStderr();
        tell_thin_cells(run);
        return testing::internal::GetCapturedStderr();
    }
    static bool has(const std::string& text, const std::string& words) {
        return text.find(words) != std::string::npos;
    }

    Communicator comm;
    RunOptions options;
    solenoid::Run run;  // testing::Test has one of its own
};

TEST_F(ThinCellsTest, FlatWallsAreToldAlikeOnAnyNumberOfRanks) {
    take_flat(25);
    EXPECT_EQ(line(), "largest aspect of cells 25, on \"low\" at (0.25, 0, 0)");
    take_flat(999.9);
    EXPECT_EQ(line(), "largest aspect of cells 1000, on \"low\" at (0.25, 0, 0)");
    take_flat(25);
    const ThinCells cells = thin_cells(layers(), names(), flow());
    EXPECT_NEAR(cells.at_boundaries.value, 25, 1e-10);
    EXPECT_EQ(cells.at_boundaries.boundary, "low");
    // across the diagonal: of a rectangle w x h its square over w h
    EXPECT_NEAR(cells.inside.value, 25 + 1 / 25.0, 1e-10);
    EXPECT_EQ(cells.inside.place[0], 0.25);
    EXPECT_NEAR(cells.inside.place[1], 0.01, 1e-15);
    EXPECT_EQ(cells.curved.value, 0);
    EXPECT_NEAR(layers().layer_at[1].aspect, 6.25, 1e-10);
}

TEST_F(ThinCellsTest, RoundWallsAreToldAlikeOnAnyNumberOfRanks) {
    take_ring(0.003);
    const double aspect = 2 * 0.5 * std::tan(angle() / 2) / 0.003;
    const ThinCells cells = thin_cells(layers(), names(), flow());
    EXPECT_NEAR(cells.at_boundaries.value, aspect, 1e-9 * aspect);
    EXPECT_NEAR(cells.curved.value, aspect * angle(), 1e-9 * aspect);
    EXPECT_EQ(cells.curved.boundary, "low");
    // of all faces alike the one with the least x, and of two of these that with the least y
    EXPECT_EQ(line(),
              "largest aspect of cells 43.9, on \"low\" at (-0.491481, -0.0647048, 0); times "
              "length over radius 11.5, on \"low\" at (-0.491481, -0.0647048, 0)");
}

TEST_F(ThinCellsTest, OrdinaryOnesAreNotTold) {
    take_flat(4);
    EXPECT_EQ(line(), "largest aspect of cells 6.25, on \"high\" at (0.25, 0.505, 0)");
    take(test::rows_of_triangles(8, {0.2, 0.3}, false,
                                 [](double x, double y) { return Vec3(0.5 * x, y, 0); }));
    EXPECT_EQ(line(), "");
    EXPECT_EQ(told(), "");
    EXPECT_NEAR(run.summary.thin_cells->at_boundaries.value, 2.5, 1e-12);
}

TEST_F(ThinCellsTest, AWarningNamesTheWallTheBoundAndWhatHelps) {
    take_flat(3 * bounds().at_boundaries);
    const std::vector<std::string> found = warnings();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0],
              fmt::format("cells at \"low\" are up to {0:.0f} times as long as high, at (0.25, 0, "
                          "0): beyond {1:.0f} velocities, pressure and forces may be wrong there, "
                          "and steps very short; mesh with layers no thinner than {2:.2g} of the "
                          "faces along them, so with thicker layers or shorter faces (`solenoid "
                          "mesh info layers.msh` tells where)",
                          3 * bounds().at_boundaries, bounds().at_boundaries,
                          1 / bounds().at_boundaries));
    EXPECT_EQ(told(), "warning: " + found[0] + "\n");
    // what it says helps
    take_flat(0.99 * bounds().at_boundaries);
    EXPECT_EQ(told(), "");
}

// A scheme that bears less says which one bears more.
TEST_F(ThinCellsTest, ASchemeThatBearsMoreIsTheRemedy) {
    flow().flow.time_scheme = "midpoint";
    const double least = bounds(flow().flow).at_boundaries;
    EXPECT_LT(least, bounds().at_boundaries);
    flow().flow.method = "classical";
    EXPECT_LT(bounds(flow().flow).at_boundaries, least);
    flow().flow.method = "exact";
    take_flat(1.1 * least);
    const std::vector<std::string> found = warnings();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(has(found[0], fmt::format("take flow.time_scheme = \"bdf2\", which bears {:.0f}, "
                                          "or mesh with",
                                          bounds().at_boundaries)))
        << found[0];
    flow().flow.time_scheme = "bdf2";
    EXPECT_TRUE(warnings().empty());
}

TEST_F(ThinCellsTest, LayersInsideHaveABoundOfTheirOwn) {
    const auto middle = [&](double aspect) {
        take(test::rows_of_triangles(8, {0.3, 0.5 / aspect, 0.3}, false,
                                     [](double x, double y) { return Vec3(0.5 * x, y, 0); }));
        return warnings();
    };
    EXPECT_TRUE(middle(0.99 * bounds().inside).empty());
    const std::vector<std::string> found = middle(2 * bounds().inside);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(has(found[0], "cells inside are up to ")) << found[0];
    EXPECT_TRUE(has(found[0], "at (0.25, 0.30")) << found[0];
}

TEST_F(ThinCellsTest, OnlyWallsThatHoldTheFluidAreCurved) {
    take_ring(height_of(1.1 * bounds().curved));
    const auto of_curved = [](const std::string& warning) {
        return has(warning, "at \"low\" are so thin, where the wall is curved") &&
               has(warning, "shorter faces along the wall");
    };
    EXPECT_EQ(std::ranges::count_if(warnings(), of_curved), 1);
    flow().boundaries[0] = test::boundary("low", "symmetry");
    EXPECT_EQ(std::ranges::count_if(warnings(), of_curved), 0);
    flow().boundaries[0] = test::boundary("low", "wall");
    take_ring(height_of(0.9 * bounds().curved));
    EXPECT_EQ(std::ranges::count_if(warnings(), of_curved), 0);
}

TEST_F(ThinCellsTest, ManyBoundariesAreCounted) {
    take_flat(3 * bounds().at_boundaries);
    ThinLayers many;
    std::vector<std::string> six;
    for (int i = 0; i < 6; ++i) {
        six.push_back(std::string(1, static_cast<char>('a' + i)));
        many.layer_at.push_back({1000.0 + i, {double(i), 0, 0}, 0, {}});
    }
    for (Thinness& t : many.layer_at) t.aspect *= bounds().at_boundaries;
    const std::string warning = thin_warnings(many, six, flow(), "").at(0);
    EXPECT_TRUE(has(warning, "cells at \"a\", \"b\", \"c\", \"d\" and 2 more are")) << warning;
    EXPECT_TRUE(has(warning, "at (5, 0, 0)")) << warning;
    EXPECT_FALSE(has(warning, "mesh info")) << warning;
}

TEST_F(ThinCellsTest, OfAFluidAtRestNothingIsWarnedOf) {
    take_flat(100 * bounds().at_boundaries);
    EXPECT_TRUE(has(told(), "times as long as high"));
    test::move(flow().boundaries[1], {});
    EXPECT_EQ(told(), "");
    EXPECT_GT(run.summary.thin_cells->at_boundaries.value, bounds().at_boundaries);
    run.settings.initial.emplace();  // what its file gives are formulas of the case by now
    EXPECT_EQ(told(), "");
}

TEST_F(ThinCellsTest, SinglePrecisionIsRefusedBeyondItsBound) {
    const auto refused = [this] {
        try {
            tell_thin_cells(run);
        } catch (const AgreedError& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return std::string(error.what());
        }
        return std::string();
    };
    options.precision = "single";
    take_flat(0.99 * bounds().in_single);
    EXPECT_EQ(refused(), "");
    take_flat(1.01 * bounds().in_single);
    const std::string message = refused();
    EXPECT_TRUE(
        has(message, "cells at \"low\" are up to 303 times as long as high, at (0.25, 0, 0)"))
        << message;
    EXPECT_TRUE(has(message, "take --precision mixed or double")) << message;
    for (const char* precision : {"mixed", "double"}) {
        options.precision = precision;
        EXPECT_EQ(refused(), "");
    }
    options.precision = "single";
    test::move(flow().boundaries[1], {});
    EXPECT_EQ(refused(), "");  // at rest
}

TEST(StaysAtRest, WhatMovesAFluidIsKnown) {
    const auto at_rest = [](const auto& change) {
        FlowCase flow;
        flow.boundaries = {test::boundary("low", "wall"), test::boundary("high", "symmetry")};
        change(flow);
        return stays_at_rest(flow);
    };
    EXPECT_TRUE(at_rest([](FlowCase&) {}));
    EXPECT_FALSE(at_rest([](FlowCase& f) { f.initial_velocity[0] = Formula(0.1); }));
    EXPECT_FALSE(at_rest([](FlowCase& f) { f.initial_velocity[1] = Formula("x", "test"); }));
    EXPECT_FALSE(at_rest([](FlowCase& f) {
        test::move(f.boundaries[0], test::vector_formula({"t", "0", "0"}));
    }));

    const auto open = [](FlowCase& f, const char* one, const char* other) {
        f.boundaries.push_back(test::boundary("in", "pressure", {}, {}, Formula(one, "test")));
        f.boundaries.push_back(test::boundary("out", "pressure", {}, {}, Formula(other, "test")));
    };
    EXPECT_TRUE(at_rest([&](FlowCase& f) { open(f, "2", "2"); }));
    EXPECT_FALSE(at_rest([&](FlowCase& f) { open(f, "2", "3"); }));
    EXPECT_FALSE(at_rest([&](FlowCase& f) { open(f, "2", "2 + t"); }));

    const auto pull = [](FlowCase& f) {
        f.flow.body_force = test::vector_formula({"1", "0", "0"});
    };
    EXPECT_TRUE(at_rest(pull));  // the pressure holds it
    EXPECT_FALSE(at_rest([&](FlowCase& f) { pull(f), open(f, "0", "0"); }));
    EXPECT_FALSE(at_rest([&](FlowCase& f) {
        pull(f), f.periodic.push_back({"in", "out", "", {}});
    }));
    EXPECT_FALSE(at_rest([](FlowCase& f) { f.flow.body_force[0] = Formula("y", "test"); }));
    EXPECT_FALSE(at_rest([](FlowCase& f) {
        f.periodic.push_back({"in", "out", "", Formula(0.2)});
    }));

    const auto heat = [](FlowCase& f, double expansion, double gravity) {
        f.scalars.emplace_back().expansion = expansion;
        f.fluid.gravity = Vec3(0, -gravity, 0);
    };
    EXPECT_TRUE(at_rest([&](FlowCase& f) { heat(f, 0, 9.81); }));
    EXPECT_TRUE(at_rest([&](FlowCase& f) { heat(f, 1e-3, 0); }));
    EXPECT_FALSE(at_rest([&](FlowCase& f) { heat(f, 1e-3, 9.81); }));
}

}  // namespace
}  // namespace solenoid::thin_cells_test
