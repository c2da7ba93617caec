// Data that are most likely a slip: a run says so with numbers and a remedy, which is tried, and is
// silent beside them, where nothing is wrong.
#include <cmath>
#include <regex>
#include <sstream>

#include "flow_runs.hpp"

namespace solenoid::test::end_to_end_slips_test {
namespace {

class Slips : public testing::Test {
  protected:
    // What a run of the case prints as a warning; "" of a run that prints none.
    std::string warning(const std::string& text, const Words& sets = {}, int ranks = 1) {
        Words words{"run", folder_.write("case.toml", text), "-o", folder_ / "out", "--overwrite"};
        for (const std::string& set : sets) words = joined(words, {"--set", set});
        outcome_ = run_program(words, {.ranks = ranks});
        EXPECT_EQ(outcome_.code, 0) << outcome_.err;
        return outcome_.err;
    }
    // The error of a run that is refused.
    std::string refusal(const std::string& text, const Words& sets = {}, int ranks = 1) {
        Words words{"run", folder_.write("case.toml", text), "-o", folder_ / "out", "--overwrite"};
        for (const std::string& set : sets) words = joined(words, {"--set", set});
        outcome_ = run_program(words, {.ranks = ranks});
        EXPECT_EQ(outcome_.code, 2) << outcome_.err;
        return outcome_.err;
    }
    static bool has(const std::string& text, const std::string& words) {
        return text.find(words) != std::string::npos;
    }
    // What a message has where the pattern has its group.
    static std::string found(const std::string& text, const std::string& pattern) {
        std::smatch match;
        if (std::regex_search(text, match, std::regex(pattern))) return match[1];
        ADD_FAILURE() << pattern << " is not in: " << text;
        return "";
    }

    const Folder folder_;
    Outcome outcome_;
};

// ---- waves and ships

const std::string sea = R"T(
physics = "boussinesq"
[grid]
nodes = [100, 4]
high = [396, 12]
[boussinesq]
depth = 5
[boundary.west]
type = "regular_waves"
amplitude = 0.1
period = 8
width = 60
[boundary.default]
type = "wall"
[time]
end = 10
steps = 1
[output]
vtk = false
)T";
const std::string irregular =
    "boundary.west = {type = \"irregular_waves\", significant_height = 0.2, peak_period = 9, "
    "width = 60}";

TEST_F(Slips, WavesTooShortForTheDepth) {
    EXPECT_EQ(warning(sea), "");
    for (const int ranks : {1, 2}) {
        const std::string told =
            warning(sea, {"boussinesq.depth=40", "boundary.west.period=6"}, ranks);
        EXPECT_TRUE(has(told,
                        "case.toml:8: [boundary.west]: waves of 6 s are too short for the "
                        "model: k h is 4 on the 40 m"))
            << told;
        EXPECT_EQ(lines_of(told).size(), 1u) << told;
        const std::string period = found(told, "take a period of ([0-9.]+) s or more");
        EXPECT_EQ(warning(sea, {"boussinesq.depth=40", "boundary.west.period=" + period}), "");
    }
    // a deep part that they pass over
    const std::string hole = "boussinesq.depth=\"x > 100 ? 60 : 5\"";
    EXPECT_TRUE(has(warning(sea, {hole}), "too short for the model on 74 % of the water, up to 60"))
        << outcome_.err;
    EXPECT_EQ(warning(sea, {"boussinesq.depth=\"x > 360 ? 60 : 5\""}), "");
    EXPECT_EQ(warning(sea, {irregular}), "");
    const std::string told = warning(sea, {irregular, "boussinesq.depth=70"});
    EXPECT_TRUE(has(told, "waves of 9 s at the peak are too short for the model")) << told;
    EXPECT_EQ(warning(sea, {irregular, "boussinesq.depth=70",
                            "boundary.west.peak_period=" +
                                found(told, "take a peak_period of ([0-9.]+) s or more")}),
              "");
}

TEST_F(Slips, WavesOfFewNodes) {
    const std::string told = warning(sea, {"boundary.west.period=4"});
    EXPECT_TRUE(has(told, "waves of 4 s have 5.")) << told;
    const double factor = std::stod(found(told, "take nodes ([0-9.]+) times as close"));
    const int nodes = static_cast<int>(std::ceil(99 * factor)) + 1;
    EXPECT_EQ(
        warning(sea, {"boundary.west.period=4", "grid.nodes=[" + std::to_string(nodes) + ", 6]"}),
        "");
    EXPECT_TRUE(has(warning(sea, {"boussinesq.depth=\"x > 100 ? 0.6 : 5\""}),
                    "have fewer than 8 nodes a wavelength on 74 % of the water"))
        << outcome_.err;
    EXPECT_EQ(warning(sea, {"boussinesq.depth=\"5 - 5*x/390\""}), "");  // a beach
}

TEST_F(Slips, WavesThatBreak) {
    for (const double depth : {5.0, 12.0}) {  // by the depth, and by the steepness
        const Words high{"boussinesq.depth=" + std::to_string(depth),
                         "boundary.west={type=\"regular_waves\", amplitude=" +
                             std::string(depth == 5 ? "2.5" : "3") +
                             ", period=" + (depth == 5 ? "8" : "5") + ", width=60}"};
        const std::string told = warning(sea, high);
        EXPECT_TRUE(has(told, "of height break")) << told;
        EXPECT_TRUE(has(told, depth == 5 ? "beyond 3.9 m, by 0.78 of the depth" : "by Miche's"))
            << told;
        const std::string amplitude = found(told, "take amplitude = ([0-9.]+) or less");
        EXPECT_EQ(warning(sea, joined(high, {"boundary.west.amplitude=" + amplitude})), "");
    }
    EXPECT_TRUE(has(warning(sea, {irregular, "boundary.west.significant_height=4.5"}),
                    "take significant_height = "))
        << outcome_.err;
}

TEST_F(Slips, ShipsWhoseWavesAreTooShort) {
    const std::string harbour = R"T(
physics = "boussinesq"
[grid]
nodes = [101, 41]
high = [200, 80]
[boussinesq]
depth = 12
[boundary.default]
type = "wall"
[[ship]]
name = "boat"
length = 14
beam = 6
draught = 0.5
at = [60, 40]
speed = 5
[time]
end = 10
steps = 1
[output]
vtk = false
)T";
    const std::string told = warning(harbour);
    EXPECT_TRUE(has(told,
                    "[[ship]] \"boat\": at 5 m/s on 12 m of water it makes waves with k h = "
                    "4.7"))
        << told;
    std::string faster = harbour;
    faster.replace(faster.find("speed = 5"), 9,
                   "speed = " + found(told, "let it sail at ([0-9.]+) m/s or more"));
    EXPECT_EQ(warning(faster), "");
    std::string slow = harbour;  // too slow for waves of its speed
    slow.replace(slow.find("speed = 5"), 9, "speed = 3");
    EXPECT_EQ(warning(slow), "");
    EXPECT_TRUE(
        has(warning(slow, {"boussinesq.depth=20"}), "it is 14 m long and sails on up to 20"))
        << outcome_.err;
}

// ---- depths from a file

// A file of 12 by 4 cells of 100 m, all of one number.
std::string depths(double number, const std::string& corner = "xllcorner 0\nyllcorner 0\n") {
    std::string text = "ncols 12\nnrows 4\n" + corner + "cellsize 100\n";
    for (int k = 0; k < 48; ++k) text += std::to_string(number) + (k % 12 == 11 ? "\n" : " ");
    return text;
}
const std::string bay = R"T(
physics = "boussinesq"
[grid]
nodes = [61, 21]
high = [1200, 400]
[boussinesq]
depth_file = "bay.asc"
[boundary.default]
type = "wall"
[time]
end = 10
steps = 1
[output]
vtk = false
)T";

TEST_F(Slips, DepthsThatAreElevations) {
    folder_.write("bay.asc", depths(5));
    EXPECT_EQ(warning(bay), "");
    EXPECT_EQ(warning(bay, {"boussinesq.water_level=2"}), "");
    EXPECT_TRUE(has(outcome_.out, "depth           7 to 7")) << outcome_.out;
    folder_.write("bay.asc", depths(-5));
    const std::string told = refusal(bay, {}, 2);
    EXPECT_TRUE(has(told,
                    "case.toml:7: [boussinesq] depth_file: the grid has no water: the file "
                    "covers x 0 to 1200, y 0 to 400; the grid x 0 to 1200, y 0 to 400; 48 of "
                    "48 cells with data are negative: where they are heights of the bottom, "
                    "set boussinesq.depth_sign = \"elevation\""))
        << told;
    EXPECT_EQ(warning(bay, {"boussinesq.depth_sign=\"elevation\"", "boussinesq.water_level=-1"}),
              "");
    EXPECT_TRUE(has(outcome_.out, "depth           4 to 4")) << outcome_.out;
    // hills beside a bay: land and sea are exchanged without a refusal
    std::string both = depths(-5);
    for (int k = 0; k < 20; ++k) both.replace(both.find("-5.0"), 4, "3.0");
    folder_.write("bay.asc", both);
    EXPECT_TRUE(has(warning(bay), "28 of 48 cells with data are negative")) << outcome_.err;
    EXPECT_EQ(warning(bay, {"boussinesq.depth_sign=\"depth\""}), "");
    EXPECT_EQ(warning(bay, {"boussinesq.depth_sign=\"elevation\""}), "");
}

TEST_F(Slips, DepthsOfOtherCoordinates) {
    folder_.write("bay.asc", depths(5, "xllcorner 612400\nyllcorner 5412300\n"));
    const std::string told = refusal(bay);
    EXPECT_TRUE(has(told,
                    "the file covers x 612400 to 613600, y 5412300 to 5412700; the grid x 0 "
                    "to 1200, y 0 to 400; 0 of 48"))
        << told;
    EXPECT_EQ(warning(bay, {found(told, "such as (boussinesq.origin = .*\\])")}), "");
    EXPECT_TRUE(has(warning(bay, {"boussinesq.origin=[612600, 5412300]"}),
                    "of the grid lies outside the file"))
        << outcome_.err;
    // axes exchanged, and degrees
    folder_.write("bay.asc", "ncols 4\nnrows 12\nxllcorner 0\nyllcorner 5000\ncellsize 100\n" +
                                 depths(5).substr(depths(5).find("100\n") + 4));
    EXPECT_TRUE(has(refusal(bay, {"boussinesq.origin=[5000, 0]"}), "its axes are exchanged"));
    std::string degrees = depths(5, "xllcorner 4.1\nyllcorner 51.9\n");
    degrees.replace(degrees.find("cellsize 100"), 12, "cellsize 0.001");
    folder_.write("bay.asc", degrees);
    EXPECT_TRUE(has(refusal(bay), "project the file from degrees to metres"));
}

TEST_F(Slips, DepthKeysWithoutAFile) {
    EXPECT_TRUE(has(refusal(sea, {"boussinesq.water_level=1"}), "belongs to a file of depths"));
}

// ---- flows

// Air of 293 K in a box with two openings.
const std::string doors = R"T(
physics = "flow"
[mesh.box]
cells = 150
dimension = 2
[fluid]
viscosity = 1e-2
gravity = [0, -9.81]
[scalar.temperature]
diffusivity = 1e-2
initial = 293
expansion = 3.4e-3
[boundary.ymax]
type = "pressure"
pressure = 0
temperature = 293
[boundary.ymin]
type = "pressure"
pressure = 0
temperature = 293
[boundary.default]
type = "wall"
[flow]
method = "classical"
[time]
end = 0.02
[output]
vtk = false
)T";

TEST_F(Slips, BuoyancyWithoutAReference) {
    const std::string wall = "boundary.ymax={type=\"wall\", temperature=293}",
                      side = "boundary.xmin={type=\"pressure\", pressure=0, temperature=293}";
    const auto lifted = [&](const std::string& text, const Words& sets) {
        return has(warning(text, sets), "reference");
    };
    for (const int ranks : {1, 2}) {
        const std::string told = warning(doors, {}, ranks);
        EXPECT_TRUE(has(told,
                        "[scalar.temperature]: no reference is given, so that it is 0, and "
                        "the values are 293 to 293"))
            << told;
        // the air is at rest then, and nothing is said of what rounding moves
        EXPECT_EQ(
            warning(doors, {"scalar.temperature.reference=" + found(told, "such as ([0-9.]+)")}),
            "");
    }
    EXPECT_NEAR(table_in(folder_ / "out/monitors/flow.csv").column("kinetic_energy").back().value(),
                0, 1e-12);
    EXPECT_FALSE(lifted(doors, {"scalar.temperature.reference=0"}));  // meant
    // one flat opening, none, and one that is high
    EXPECT_FALSE(lifted(doors, {wall}));
    EXPECT_FALSE(lifted(doors, {wall, "boundary.ymin={type=\"wall\", temperature=293}"}));
    EXPECT_TRUE(has(warning(doors, {wall, side, "boundary.ymin={type=\"wall\", temperature=293}"}),
                    "no reference is given"));
    // of values about 0 it is the fluid outside
    EXPECT_FALSE(lifted(doors, {"scalar.temperature.initial=0", "boundary.ymax.temperature=0",
                                "boundary.ymin.temperature=20"}));
    EXPECT_FALSE(lifted(doors, {"fluid.gravity=[0, 0]"}));
}

TEST_F(Slips, SpeedsNearThatOfSound) {
    const Words few{"fluid.viscosity=1"};
    EXPECT_EQ(warning(cavity, joined(few, {"fluid.sound_speed=4"})), "");
    const std::string told = warning(cavity, joined(few, {"fluid.sound_speed=0.5"}), 2);
    EXPECT_TRUE(has(told, "the largest speed was ")) << told;
    EXPECT_EQ(lines_of(told).size(), 1u) << told;
    EXPECT_NEAR(std::stod(found(told, "a Mach number of ([0-9.]+)")),
                2 * std::stod(found(told, "speed was ([0-9.]+) m/s")), 0.01);
}

TEST_F(Slips, WallsThatTheMeshDoesNotResolve) {
    EXPECT_EQ(warning(cavity), "");
    const std::string told = warning(cavity, {"fluid.viscosity=1e-6"}, 2);
    EXPECT_TRUE(has(told, "do not resolve the flow along it: the Reynolds number u h / nu"))
        << told;
    // without friction there is no layer, but the lid's velocity at nodes is carried inside
    const std::string inviscid = warning(cavity, {"fluid.viscosity=0"});
    EXPECT_FALSE(has(inviscid, "do not resolve the flow along it")) << inviscid;
    EXPECT_TRUE(has(inviscid, "the scheme adds")) << inviscid;
}

// Gmsh's file of a ring between 0.5 and 1 m with so many faces round.
std::string ring_of(int faces) {
    std::ostringstream nodes, elements;
    nodes.precision(17);
    for (int k = 0; k < 2 * faces; ++k) {
        const double r = k < faces ? 0.5 : 1, angle = 2 * M_PI * k / faces;
        nodes << k + 1 << ' ' << r * std::cos(angle) << ' ' << r * std::sin(angle) << " 0\n";
    }
    int number = 0;
    for (int k = 0; k < faces; ++k) {
        const int a = k + 1, b = (k + 1) % faces + 1, c = a + faces, d = b + faces;
        elements << ++number << " 1 2 1 1 " << a << ' ' << b << '\n';
        elements << ++number << " 1 2 2 2 " << c << ' ' << d << '\n';
        elements << ++number << " 2 2 3 3 " << a << ' ' << c << ' ' << d << '\n';
        elements << ++number << " 2 2 3 3 " << a << ' ' << d << ' ' << b << '\n';
    }
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"inner\"\n1 2 \"outer\"\n"
           "2 3 \"fluid\"\n$EndPhysicalNames\n$Nodes\n" +
           std::to_string(2 * faces) + "\n" + nodes.str() + "$EndNodes\n$Elements\n" +
           std::to_string(number) + "\n" + elements.str() + "$EndElements\n";
}

TEST_F(Slips, SlipAlongCurvesThatTheMeshDoesNotResolve) {
    const std::string text = R"T(
physics = "flow"
[mesh]
file = "ring.msh"
[fluid]
viscosity = 0.05
[boundary.inner]
type = "rotating_wall"
omega = 2
[boundary.outer]
type = "symmetry"
[time]
end = 0.1
steps = 3
step = 0.01
)T";
    const auto told = [&](int faces, const Words& sets = {}, int ranks = 1) {
        folder_.write("ring.msh", ring_of(faces));
        return warning(text, sets, ranks);
    };
    for (const int ranks : {1, 2}) {
        const std::string coarse = told(16, {}, ranks);
        EXPECT_TRUE(has(coarse,
                        "[boundary.outer] slips along a curve that the mesh does not "
                        "resolve: 16 of 16 faces"))
            << coarse;
        EXPECT_TRUE(has(coarse, "24 faces or more round a circle")) << coarse;
    }
    const std::string remedied = told(24), inviscid = told(16, {"fluid.viscosity=0"}),
                      edges = told(6);
    for (const std::string& words : {remedied, inviscid, edges})
        EXPECT_FALSE(has(words, "slips along a curve")) << words;
}

}  // namespace
}  // namespace solenoid::test::end_to_end_slips_test
