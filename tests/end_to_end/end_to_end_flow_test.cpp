// Whole runs of flow cases: the same on every device and any number of ranks, and what they leave.
#include <iomanip>
#include <sstream>

#include "flow_runs.hpp"

namespace solenoid::test::end_to_end_flow_test {
namespace {

using Velocities = std::map<std::int64_t, std::array<double, 3>>;  // by global node number

// Every type of boundary, in three dimensions.
const std::string cube = R"toml(physics = "flow"
mesh.box.cells = 300
fluid.viscosity = 0.1
boundary.ymax = {type = "wall", velocity = [1, 0, 0]}
boundary.ymin.type = "wall"
boundary.xmin = {type = "inflow", velocity = ["y*sin(20*t)", 0, 0]}
boundary.xmax.type = "outflow"
boundary.zmin.type = "symmetry"
boundary.zmax.type = "wall"
time = {end = 1, step = 0.01, steps = 20}
monitor = [{type = "line", name = "line", from = [0.5, 0, 0.5], to = [0.5, 1, 0.5], points = 3}]
)toml";

Velocities last_velocities(const Flow& flow) {
    const auto states = flow.states();
    if (states.empty()) return {};
    const auto grid = grid_in(states.back().file);
    vtkDataArray* number = grid->GetPointData()->GetGlobalIds();
    vtkDataArray* velocity = grid->GetPointData()->GetArray("velocity");
    Velocities velocities;
    if (!number || !velocity || velocity->GetNumberOfComponents() != 3) return {};
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
        velocity->GetTuple(i, velocities[static_cast<std::int64_t>(number->GetTuple1(i))].data());
    return velocities;
}

double largest_difference(const Velocities& a, const Velocities& b) {
    if (a.size() != b.size() || a.empty()) return HUGE_VAL;
    double largest = 0;
    for (const auto& [node, velocity] : a)
        for (int k = 0; k < 3; ++k) {
            const auto other = b.find(node);
            if (other == b.end()) return HUGE_VAL;
            largest = std::max(largest, std::abs(velocity[k] - other->second[k]));
        }
    return largest;
}

// ---- the same answer everywhere, after some steps with a lid of speed 1

struct Combination {
    std::string device, precision;
    int ranks;
};

std::string name_of(const testing::TestParamInfo<Combination>& info) {
    return info.param.device + "_" + info.param.precision + "_" + std::to_string(info.param.ranks);
}

// Of the processor all, of the others each precision and number of ranks once: flow_devices_test
// has every solver on every device.
std::vector<Combination> combinations() {
    std::vector<Combination> all;
    for (const char* precision : {"double", "single"})
        for (const int ranks : {1, 3}) all.push_back({"cpu", precision, ranks});
    for (const char* device : {"compute", "fragment"}) {
        all.push_back({device, "double", 2});
        all.push_back({device, "single", 1});
    }
    return all;
}

std::vector<std::string> arguments_of(const Combination& c) {
    const std::string tolerance = c.precision == "double" ? "1e-12" : "1e-5";
    return {"--device",    c.device,
            "--precision", c.precision,
            "--set",       "solver.stream_function.tolerance=" + tolerance,
            "--set",       "solver.momentum.tolerance=" + tolerance};
}

class FlowRuns : public testing::TestWithParam<Combination> {};
INSTANTIATE_TEST_SUITE_P(All, FlowRuns, testing::ValuesIn(combinations()), name_of);

void expect_same(const std::string& text, int steps, const Velocities& reference,
                 const Combination& c) {
    const Flow flow(text, arguments_of(c), c.ranks);
    EXPECT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    const bool is_double = c.precision == "double";
    EXPECT_LE(largest_difference(reference, last_velocities(flow)), is_double ? 1e-9 : 1e-3);
    const auto summary = flow.summary();
    EXPECT_LE(summary["max_divergence"].get<double>(), is_double ? 1e-13 : 1e-5);
    EXPECT_EQ(summary["steps"], steps);
    EXPECT_GT(summary["thin_cells"]["inside"]["aspect"], 1);
    EXPECT_EQ(summary["halo_bytes"] > 0, c.ranks > 1);
}

TEST_P(FlowRuns, HaveTheSameAnswerInThePlane) {
    static const Velocities reference =
        last_velocities(Flow(cavity, arguments_of({"cpu", "double", 1})));
    expect_same(cavity, 20, reference, GetParam());
}

TEST_P(FlowRuns, HaveTheSameAnswerInSpace) {
    static const std::string short_cube =
        std::string(cube).replace(cube.find("steps = 20"), 10, "steps = 8");
    static const Velocities reference =
        last_velocities(Flow(short_cube, arguments_of({"cpu", "double", 1})));
    expect_same(short_cube, 8, reference, GetParam());
}

// ---- what a run leaves

TEST(FlowRun, LeavesItsFiles) {
    const std::string pictures =
        "[[picture]]\nname = \"fast\"\nwidth = 200\nheight = 200\n[[picture]]\nname = "
        "\"round\"\nfield = \"stream_function\"\nwidth = 200\nheight = 200\n";
    const Flow flow(cavity + pictures, {"--device", "cpu"});
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    EXPECT_EQ(flow.states().size(), 2u);
    const auto grid = grid_in(flow.states().back().file);
    const std::map<std::string, int> arrays{{"velocity", 3},
                                            {"pressure", 1},
                                            {"vorticity", 1},
                                            {"q_criterion", 1},
                                            {"stream_function", 1}};
    for (const auto& [name, components] : arrays) {
        vtkDataArray* array = grid->GetPointData()->GetArray(name.c_str());
        ASSERT_TRUE(array) << name;
        EXPECT_EQ(array->GetNumberOfComponents(), components) << name;
    }
    ASSERT_TRUE(grid->GetCellData()->GetArray("velocity"));
    EXPECT_EQ(grid->GetCellData()->GetArray("velocity")->GetNumberOfComponents(), 3);
    for (const char* name : {"fast.png", "fast_0000.png", "round.png"})
        EXPECT_TRUE(fs::exists(flow.out() / "pictures" / name)) << name;

    const Table line = table_in(flow.out() / "monitors/vertical.csv");
    EXPECT_EQ(line.columns, (Words{"s", "x", "y", "z", "u", "v", "w", "p", "omega"}));
    ASSERT_EQ(line.rows.size(), 11u);
    EXPECT_NEAR(line.column("u").back().value_or(0), 1 + 0.1 * std::sin(0.4), 1e-12);
    EXPECT_EQ(line.column("u").front(), 0.0);
    const Table point = table_in(flow.out() / "monitors/middle.csv");
    EXPECT_EQ(point.columns, (Words{"time", "x", "y", "z", "u", "v", "w", "p", "omega"}));
    EXPECT_EQ(point.rows.size(), 2u);
}

// Beside an end of the lid, where the speed jumps.
TEST(FlowRun, TellsWhereItsCourantNumberIsLargest) {
    for (const int ranks : {1, 3}) {
        const Flow flow(cavity, {"--device", "cpu"}, ranks);
        ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        const auto courant = flow.summary()["courant"];
        EXPECT_EQ(courant["number"], flow.figures().column("courant").back().value_or(0));
        const std::vector<double> place = courant["place"];
        EXPECT_GT(place[1], 0.8);
        std::ostringstream line;
        line << "Courant number of the last step at most " << std::setprecision(3)
             << courant["number"].get<double>() << ", at (" << std::setprecision(6) << place[0]
             << ", " << place[1] << ", 0)";
        EXPECT_NE(flow.outcome.out.find(line.str()), std::string::npos) << flow.outcome.out;
        static const std::vector<double> alone = place;
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(place[k], alone[k], 1e-12);
    }
}

TEST(FlowRun, KeepsFiguresOfEveryStep) {
    const Flow flow(cavity, {"--device", "cpu"});
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    const Table figures = flow.figures();
    EXPECT_EQ(figures.columns,
              (Words{"time", "step_length", "courant", "kinetic_energy", "enstrophy", "dissipation",
                     "max_divergence", "rate_of_change"}));
    ASSERT_EQ(figures.rows.size(), 20u);
    EXPECT_GT(figures.column("enstrophy").back().value_or(0), 0);
    EXPECT_GT(figures.column("dissipation").back().value_or(0), 0);
    EXPECT_NEAR(figures.column("time").back().value_or(0), 0.4, 1e-12);
    double largest = 0;
    for (const auto& value : figures.column("max_divergence")) largest = std::max(largest, *value);
    const auto summary = flow.summary();
    EXPECT_LE(largest, summary["max_divergence"].get<double>());
    EXPECT_EQ(summary["status"], "stopped");  // by its steps, before its end
    EXPECT_FALSE(summary.contains("steady"));
    EXPECT_EQ(summary["solves"][0]["name"], "stream_function");
    EXPECT_EQ(summary["solves"][1]["name"], "momentum");
    for (int i = 0; i < 2; ++i) EXPECT_GT(summary["solves"][i]["iterations"], 20);
    int lines = 0;
    for (const std::string& line : lines_of(flow.outcome.out))
        lines += line.find("Courant") != std::string::npos &&
                 line.find("max_divergence") != std::string::npos;
    EXPECT_GE(lines, 2);  // the first and the last step, others now and then
    EXPECT_LE(lines, 20);
}

// The last state's, as its file has them, on any number of ranks; without states those of the
// cells.
TEST(FlowRun, TellsTheRangesOfItsFields) {
    const Words dye{"--device", "cpu",
                    "--set",    "scalar.dye={diffusivity = 0.1, initial = \"x\"}",
                    "--set",    "solver.scalar.tolerance=1e-12"};
    const auto ranges_of = [&](const Flow& flow) { return flow.summary()["ranges"]; };
    const Flow one(cavity, dye), three(cavity, dye, 3),
        unwritten(cavity, joined(dye, {"--set", "output.vtk=false", "--set", "monitor=[]"}));
    ASSERT_EQ(one.outcome.code, 0) << one.outcome.err;
    const auto ranges = ranges_of(one), on_three = ranges_of(three),
               of_cells = ranges_of(unwritten);
    Words names;
    for (const auto& [name, range] : ranges.items()) names.push_back(name);
    EXPECT_EQ(names, (Words{"dye", "pressure", "q_criterion", "speed", "stream_function",
                            "velocity_x", "velocity_y", "vorticity"}));
    const auto grid = grid_in(one.states().back().file);
    for (const std::string name : {"pressure", "vorticity", "stream_function"})
        for (int k = 0; k < 2; ++k)
            EXPECT_DOUBLE_EQ(ranges[name][k],
                             grid->GetPointData()->GetArray(name.c_str())->GetRange(0)[k])
                << name;
    EXPECT_NEAR(ranges["velocity_x"][1], 1 + 0.1 * std::sin(0.4), 1e-12);  // the lid
    EXPECT_EQ(ranges["speed"][0], 0.0);
    for (const auto& [name, range] : on_three.items())
        for (int k = 0; k < 2; ++k)
            EXPECT_NEAR(range[k], ranges[name][k],
                        1e-4 * (std::abs(ranges[name][k].get<double>()) + 1))
                << name;
    EXPECT_EQ(of_cells.size(), 4u);
    EXPECT_GE(of_cells["dye"][0].get<double>(), ranges["dye"][0]);
    EXPECT_NE(one.outcome.out.find("\nranges   speed "), std::string::npos) << one.outcome.out;
}

TEST(FlowRun, WritesForcesWithDensityAndCoefficients) {
    const std::string force =
        "[[monitor]]\ntype = \"force\"\nname = \"lid\"\nboundaries = [\"ymax\", \"xmin\"]\n"
        "reference_speed = 2\nreference_area = 0.5\nlift = [0, -3]\ncentre = [0.5, 1]\n";
    const Flow flow(cavity + force, {"--device", "cpu", "--set", "fluid.density=3"});
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    const Table lid = table_in(flow.out() / "monitors/lid.csv");
    EXPECT_EQ(
        lid.columns,
        (Words{"time", "force_x", "force_y", "pressure_x", "pressure_y", "friction_x", "friction_y",
               "moment_z", "drag_coefficient", "lift_coefficient", "weak_force_x", "weak_force_y",
               "weak_moment_z", "weak_drag_coefficient", "weak_lift_coefficient", "apart"}));
    ASSERT_EQ(lid.rows.size(), 20u);
    const auto last = [&](const char* column) { return lid.column(column).back().value_or(NAN); };
    EXPECT_NEAR(last("force_x"), last("pressure_x") + last("friction_x"), 1e-12);
    EXPECT_LT(last("friction_x"), 0);  // the fluid holds the lid back
    EXPECT_NEAR(last("drag_coefficient"), 2 * last("force_x") / (3 * 4 * 0.5), 1e-12);
    EXPECT_NEAR(last("lift_coefficient"), -2 * last("force_y") / (3 * 4 * 0.5), 1e-12);
    EXPECT_NEAR(last("weak_drag_coefficient"), 2 * last("weak_force_x") / (3 * 4 * 0.5), 1e-12);
    EXPECT_NEAR(last("weak_lift_coefficient"), -2 * last("weak_force_y") / (3 * 4 * 0.5), 1e-12);
}

// With the solvers' own tolerances, and the first step, which is made twice.
TEST(FlowRun, WritesABudgetOfEnergyThatCloses) {
    const std::string energy = "[[monitor]]\ntype = \"energy\"\nname = \"energy\"\n";
    for (const int ranks : {1, 3}) {
        const Flow flow(cavity + energy, {"--device", "cpu"}, ranks);
        ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        const Table budget = table_in(flow.out() / "monitors/energy.csv");
        EXPECT_EQ(budget.columns,
                  (Words{"time", "kinetic_energy", "rate", "viscous", "convection", "jump_penalty",
                         "coupling", "time_scheme", "boundary", "force", "residual"}));
        ASSERT_EQ(budget.rows.size(), 20u);
        const auto of_run = flow.figures().column("kinetic_energy");
        for (std::size_t n = 0; n < budget.rows.size(); ++n) {
            const auto value = [&](const char* column) {
                return budget.column(column)[n].value_or(NAN);
            };
            EXPECT_NEAR(value("kinetic_energy"), *of_run[n], 1e-14);
            EXPECT_NEAR(value("rate") + value("viscous") + value("convection") +
                            value("jump_penalty") + value("coupling") + value("time_scheme") -
                            value("boundary") - value("force"),
                        value("residual"), 1e-14);
            EXPECT_LE(std::abs(value("residual")), 1e-6 * value("viscous"));
            EXPECT_GT(value("boundary"), 0);  // the lid's
            EXPECT_EQ(value("force"), 0);
        }
    }
    const Flow rotational(cavity + energy,
                          {"--device", "cpu", "--set", "flow.momentum=rotational"});
    EXPECT_EQ(rotational.outcome.code, 2);
    EXPECT_NE(rotational.outcome.err.find("is the budget of collocated momentum"),
              std::string::npos)
        << rotational.outcome.err;
}

// What a run without an energy monitor tells at its end is what that monitor writes in another run:
// in every hundredth step and the last, as far as they lie in the second half.
TEST(FlowRun, TellsWhatTheSchemeTakes) {
    const Words longer{"--device", "cpu",
                       "--set",    "time.steps=310",
                       "--set",    "time.end=7",
                       "--set",    "mesh.box.cells=150",
                       "--set",    "fluid.density=2"};
    const Flow followed(cavity + "[[monitor]]\ntype = \"energy\"\nname = \"energy\"\n", longer);
    ASSERT_EQ(followed.outcome.code, 0) << followed.outcome.err;
    const Table budget = table_in(followed.out() / "monitors/energy.csv");
    ASSERT_EQ(budget.rows.size(), 310u);
    for (const int ranks : {1, 3}) {
        const Flow flow(cavity, longer, ranks);
        ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        EXPECT_NE(flow.outcome.out.find("losses   friction dissipates "), std::string::npos)
            << flow.outcome.out;
        EXPECT_EQ(flow.outcome.err.find("the scheme"), std::string::npos) << flow.outcome.err;
        const nlohmann::json loss = flow.summary()["energy_loss"];
        EXPECT_EQ(loss["steps"], 3);
        EXPECT_NEAR(loss["from"], 4, 1e-12);
        EXPECT_NEAR(loss["to"], 6.2, 1e-12);
        const auto mean = [&](const std::string& column) {
            const auto values = budget.column(column);
            return 2 * (*values[199] + *values[299] + *values[309]) / 3;
        };
        const Table figures = table_in(followed.out() / "monitors/flow.csv");
        const auto dissipated = figures.column("dissipation");
        const double dissipation = 2 * (*dissipated[199] + *dissipated[299] + *dissipated[309]) / 3;
        const auto expect = [&](const char* key, double value) {
            EXPECT_NEAR(loss[key].get<double>(), value, 1e-7 * dissipation) << key;
        };
        expect("dissipation", dissipation);
        expect("coupling", mean("coupling"));
        expect("jump_penalty", mean("jump_penalty"));
        expect("convection", mean("convection"));
        expect("time_scheme", mean("time_scheme"));
        EXPECT_NEAR(loss["share"].get<double>(),
                    loss["scheme"].get<double>() / loss["dissipation"].get<double>(), 1e-12);
    }
    const Flow by_midpoints(cavity, {"--device", "cpu", "--set", "flow.time_scheme=midpoint"});
    EXPECT_FALSE(by_midpoints.summary().contains("energy_loss"));
}

// Taylor and Green's vortices: on a mesh as coarse as this the scheme takes more than friction does
// at Re = 1600, and little of what honey takes. In single precision too.
TEST(FlowRun, WarnsWhereTheSchemeTakesMuch) {
    const std::string vortices = R"toml(physics = "flow"
mesh.box = {cells = 1500, high = [6.283185307179586, 6.283185307179586, 6.283185307179586]}
boundary.xmin = {type = "periodic", partner = "xmax"}
boundary.ymin = {type = "periodic", partner = "ymax"}
boundary.zmin = {type = "periodic", partner = "zmax"}
initial.velocity = ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", "0"]
time = {end = 1.0}
)toml";
    for (const char* precision : {"double", "single"}) {
        const Words arguments{"--device", "cpu", "--precision", precision};
        const Flow coarse(vortices + "fluid.viscosity = 6.25e-4\n", arguments),
            slow(vortices + "fluid.viscosity = 0.5\n", arguments);
        EXPECT_NE(coarse.outcome.err.find("warning: the scheme removes "), std::string::npos)
            << coarse.outcome.err;
        EXPECT_GT(coarse.summary()["energy_loss"]["share"], 0.5);
        EXPECT_EQ(slow.outcome.err.find("the scheme"), std::string::npos) << slow.outcome.err;
        EXPECT_LT(std::abs(slow.summary()["energy_loss"]["share"].get<double>()), 0.1);
    }
}

// The share of the scheme is small in a channel of ten cells across, which loses 4 % of its flux.
TEST(FlowRun, WarnsOfFewCellsAcross) {
    const std::string channel = R"toml(physics = "flow"
mesh.box = {cells = 800, dimension = 2, high = [4, 1]}
flow.method = "classical"
fluid.viscosity = 0.0025
boundary.xmin = {type = "pressure", pressure = 0.12}
boundary.xmax = {type = "pressure", pressure = 0}
boundary.ymin = {type = "wall"}
boundary.ymax = {type = "wall"}
initial.velocity = ["6*y*(1-y)", 0]
time = {end = 4.0}
)toml";
    const Flow coarse(channel, {"--device", "cpu"});
    EXPECT_NE(coarse.outcome.err.find("too few cells across a passage, 9.6 on 1 m at "),
              std::string::npos)
        << coarse.outcome.err;
    EXPECT_NEAR(coarse.summary()["cells_across"]["cells"], 9.6, 0.05);
    EXPECT_EQ(coarse.outcome.err.find("the scheme removes"), std::string::npos);
    const Flow ranks(channel, {"--device", "cpu", "--set", "time.steps=2"}, 3);
    EXPECT_EQ(ranks.summary()["cells_across"], coarse.summary()["cells_across"]);
    // a lid drives no flow through the box
    const Flow closed(cavity, {"--device", "cpu"});
    EXPECT_EQ(closed.outcome.err.find("cells across"), std::string::npos) << closed.outcome.err;
}

// Values given where the fluid leaves, and the remedy that the warning names.
TEST(FlowRun, WarnsOfScalarsThatAreHeldWhereFluidLeaves) {
    const std::string channel = R"toml(physics = "flow"
mesh.box = {cells = 200, dimension = 2}
fluid.viscosity = 0.1
scalar.T = {diffusivity = 0.1}
boundary.xmin = {type = "inflow", velocity = [1, 0], T = 1}
boundary.xmax = {type = "outflow", OUTLET}
boundary.ymin = {type = "wall", BOTTOM}
boundary.ymax = {type = "wall"}
time = {end = 1.0, step = 0.01, steps = 5}
)toml";
    const auto with = [&](const std::string& outlet, const std::string& bottom = "T = 2") {
        std::string text = channel;
        text.replace(text.find("OUTLET"), 6, outlet);
        text.replace(text.find("BOTTOM"), 6, bottom);
        return text;
    };
    const Flow held(with("T = 3"), {"--device", "cpu"});
    EXPECT_NE(held.outcome.err.find("[boundary.xmax]: in the mean fluid leaves here"),
              std::string::npos)
        << held.outcome.err;
    EXPECT_NE(held.outcome.err.find("T_inflow_value"), std::string::npos);
    EXPECT_EQ(held.outcome.err.find("[boundary.xmin]"), std::string::npos);
    const Flow mended(with("T_inflow_value = 3"), {"--device", "cpu"});
    EXPECT_EQ(mended.outcome.code, 0);
    EXPECT_EQ(mended.outcome.err.find("leaves"), std::string::npos) << mended.outcome.err;
    const Table balance = table_in(mended.out() / "monitors/T_balance.csv");
    EXPECT_NEAR(*balance.column("xmin_convection").back(), 1, 1e-9);
    EXPECT_NEAR(*balance.column("xmax_diffusion").back(), 0, 1e-9);
    EXPECT_NEAR(*balance.column("imbalance").back(), 0, 1e-10);

    const Flow both(with("T = 3, T_inflow_value = 3"), {}),
        wall(with("T = 3", "T_inflow_value = 2"), {});
    for (const Flow* refused : {&both, &wall}) EXPECT_EQ(refused->outcome.code, 2);
    EXPECT_NE(both.outcome.err.find("give one of T, T_inflow_value and T_flux"), std::string::npos)
        << both.outcome.err;
    EXPECT_NE(wall.outcome.err.find("give T or T_flux"), std::string::npos) << wall.outcome.err;
}

// What solves leave of a fluid at rest is no flow whose losses count.
TEST(FlowRun, TellsNoLossesOfAFluidAtRest) {
    for (const char* precision : {"double", "single"}) {
        const Flow rest(cavity, {"--device", "cpu", "--precision", precision, "--set",
                                 "boundary.ymax.velocity=[0, 0]", "--set", "flow.method=classical",
                                 "--set", "flow.body_force=[\"cos(2*x + y)\", \"-9.81\"]"});
        ASSERT_EQ(rest.outcome.code, 0) << rest.outcome.err;
        if (!rest.summary().contains("energy_loss")) continue;
        EXPECT_EQ(rest.outcome.err.find("the scheme"), std::string::npos) << rest.outcome.err;
    }
    const Flow hydrostatic(cavity,
                           {"--device", "cpu", "--set", "boundary.ymax.velocity=[0, 0]", "--set",
                            "flow.method=classical", "--set", "flow.body_force=[0, -9.81]"});
    EXPECT_FALSE(hydrostatic.summary().contains("energy_loss"));
}

// A lid that moves all at once leaves pressures without bound in its corners, and the weak form
// another force on a side than its surface; a lid that is slowest at its ends does not.
TEST(FlowRun, WarnsWhereForcesDiffer) {
    const std::string side =
        "[[monitor]]\ntype = \"force\"\nname = \"side\"\nboundaries = [\"xmin\"]\n";
    const Words arguments{
        "--device", "cpu",          "--set", "mesh.box.cells=1000", "--set", "fluid.viscosity=0.1",
        "--set",    "time.steps=30"};
    const Flow jumps(cavity + side, joined(arguments, {"--set", "boundary.ymax.velocity=[1, 0]"}));
    const Flow smooth(
        cavity + side,
        joined(arguments, {"--set", "boundary.ymax.velocity=[\"16*x^2*(1-x)^2\", 0]"}));
    EXPECT_NE(jumps.outcome.err.find("the monitor \"side\": the force"), std::string::npos)
        << jumps.outcome.err;
    EXPECT_EQ(smooth.outcome.err.find("side\""), std::string::npos) << smooth.outcome.err;
    for (const Flow* flow : {&jumps, &smooth}) {
        const Table rows = table_in(flow->out() / "monitors/side.csv");
        const nlohmann::json forces = flow->summary()["forces"][0];
        EXPECT_EQ(forces["monitor"], "side");
        const auto last = [&](const char* column) { return rows.column(column).back().value(); };
        EXPECT_NEAR(forces["surface"][0], last("force_x"), 1e-15);
        EXPECT_NEAR(forces["weak"][1], last("weak_force_y"), 1e-15);
        // over the second half of the run
        const double from = forces["apart_from"], end = last("time");
        EXPECT_LE(from, end / 2);
        EXPECT_GE(from, end / 2 - end / 32);
        double apart = 0, size = 0, at = 0;
        for (std::size_t n = 0; n < rows.rows.size(); ++n) {
            const auto value = [&](const char* column) { return rows.column(column)[n].value(); };
            if (value("time") < from) continue;
            const double difference = std::hypot(value("force_x") - value("weak_force_x"),
                                                 value("force_y") - value("weak_force_y"));
            if (difference > apart) apart = difference, at = value("time");
            size = std::max({size, std::hypot(value("force_x"), value("force_y")),
                             std::hypot(value("weak_force_x"), value("weak_force_y"))});
        }
        EXPECT_NEAR(forces["apart"], apart / size, 1e-9);
        EXPECT_EQ(forces["apart_at"], at);
        EXPECT_NEAR(last("apart") * size,
                    std::hypot(last("force_x") - last("weak_force_x"),
                               last("force_y") - last("weak_force_y")),
                    1e-9);
    }
}

// Through a channel: what enters leaves, and the walls pass nothing.
TEST(FlowRun, KeepsTheNetFluxOfEveryBoundary) {
    const Words channel{
        "--device", "cpu",
        "--set",    "boundary.ymax.velocity=[0, 0]",
        "--set",    "boundary.xmin={type = \"inflow\", velocity = [\"6*y*(1 - y)\", 0]}",
        "--set",    "boundary.xmax.type=outflow",
        "--set",    "time.step=0.01"};
    for (const int ranks : {1, 3}) {
        const Flow flow(cavity, channel, ranks);
        ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        const Table table = table_in(flow.out() / "monitors/boundaries.csv");
        Words sorted = table.columns;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, (Words{"imbalance", "time", "xmax", "xmin", "ymax", "ymin"}));
        ASSERT_EQ(table.rows.size(), 20u);
        for (const auto& value : table.column("xmin")) EXPECT_NEAR(*value, 1, 1e-12);
        for (const auto& value : table.column("xmax")) EXPECT_NEAR(*value, -1, 1e-12);
        for (const char* wall : {"ymin", "ymax"})
            for (const auto& value : table.column(wall)) EXPECT_NEAR(*value, 0, 1e-13);
        for (const auto& value : table.column("imbalance")) EXPECT_NEAR(*value, 0, 1e-13);
    }
}

TEST(FlowRun, HasThreeVorticitiesInSpace) {
    const Flow flow(cube, {"--device", "cpu"});
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    EXPECT_EQ(table_in(flow.out() / "monitors/line.csv").columns,
              (Words{"s", "x", "y", "z", "u", "v", "w", "p", "omega_x", "omega_y", "omega_z"}));
    const auto grid = grid_in(flow.states().back().file);
    EXPECT_EQ(grid->GetPointData()->GetArray("vorticity")->GetNumberOfComponents(), 3);
    EXPECT_FALSE(grid->GetPointData()->GetArray("stream_function"));
}

TEST(FlowRun, StaysFreeOfDivergenceWithALooseSolver) {
    const Flow flow(cavity, {"--device", "cpu", "--set", "solver.stream_function.tolerance=1e-2"});
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    EXPECT_LE(flow.summary()["max_divergence"].get<double>(), 1e-13);
}

TEST(FlowRun, ClassicalIsAsFreeOfDivergenceAsItsSolverAndAgreesWithTheExact) {
    const Flow exact(cavity, {"--device", "cpu"});
    for (const int ranks : {1, 3}) {
        const Flow flow(cavity,
                        {"--device", "cpu", "--set", "flow.method=classical", "--set",
                         "solver.pressure.tolerance=1e-9"},
                        ranks);
        ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        const std::vector<std::optional<double>> steps =
            table_in(flow.out() / "monitors/flow.csv").column("max_divergence");
        for (const auto& divergence : steps) EXPECT_LE(*divergence, 1e-9);
        // the start's, too: of the flux that a lid brings to fluid at rest little stays
        EXPECT_LE(flow.summary()["max_divergence"].get<double>(), 1e-8);
        EXPECT_EQ(flow.summary()["solves"][0]["name"], "pressure");
        EXPECT_LE(largest_difference(last_velocities(exact), last_velocities(flow)), 0.02);
        EXPECT_TRUE(
            grid_in(flow.states().back().file)->GetPointData()->GetArray("stream_function"));
    }
}

// The preconditioner alone is rounded: a solve to the same residual gives the same flow, in about
// as many iterations.
TEST(FlowRun, MixedPrecisionAgreesWithDouble) {
    for (const char* method : {"exact", "classical"}) {
        const std::string solver = method == std::string("exact") ? "stream_function" : "pressure";
        const Words precise{"--device", "cpu",
                            "--set",    std::string("flow.method=") + method,
                            "--set",    "solver." + solver + ".tolerance=1e-10"};
        const Flow in_double(cube, precise),
            mixed(cube, joined(precise, {"--precision", "mixed"}), 2);
        ASSERT_EQ(in_double.outcome.code, 0) << in_double.outcome.err;
        ASSERT_EQ(mixed.outcome.code, 0) << mixed.outcome.err;
        EXPECT_EQ(mixed.summary()["precision"], "mixed");
        EXPECT_LE(largest_difference(last_velocities(in_double), last_velocities(mixed)), 1e-7)
            << method;
        EXPECT_NEAR(mixed.summary()["solves"][0]["iterations"].get<double>() /
                        in_double.summary()["solves"][0]["iterations"].get<double>(),
                    1, 0.2);
    }
}

// Where the pressure is large beside its differences: a long channel.
TEST(FlowRun, ClassicalInSinglePrecisionAgreesWithDouble) {
    for (const char* name : {"channel", "cylinder", "poiseuille", "backward-step"}) {
        double energy[2];
        for (const int k : {0, 1}) {
            const Folder folder;
            const Outcome outcome = run_program(
                {"run", source("cases") / name / "case.toml", "-o", folder / "out", "--device",
                 "cpu", "--precision", k ? "single" : "double", "--set", "flow.method=classical",
                 "--set", "time.steps=3", "--set", "output.vtk=false"});
            ASSERT_EQ(outcome.code, 0) << name << outcome.err;
            energy[k] =
                table_in(folder / "out/monitors/flow.csv").column("kinetic_energy").back().value();
        }
        EXPECT_NEAR(energy[1], energy[0], 1e-4 * energy[0]) << name;
    }
}

TEST(FlowRun, PrintsTheHierarchyThatItIsAskedFor) {
    const std::string fine = "solver.stream_function.print_hierarchy=true";
    const Words many{"--device", "cpu",          "--set", "mesh.box.cells=4000",
                     "--set",    "time.steps=1", "--set", fine};
    const Flow all(cavity, many),
        two(cavity, joined(many, {"--set", "solver.stream_function.levels=2"}));
    EXPECT_NE(all.outcome.out.find("  level 2 "), std::string::npos) << all.outcome.out;
    EXPECT_NE(all.outcome.out.find("operator complexity 1."), std::string::npos) << all.outcome.out;
    EXPECT_NE(two.outcome.out.find("stream_function: 2 levels"), std::string::npos)
        << two.outcome.out;
    EXPECT_EQ(two.outcome.out.find("  level 2 "), std::string::npos) << two.outcome.out;
}

// Where the pressure is given the first step need not find it: it is made once.
TEST(FlowRun, StartsFromTheInitialPressure) {
    std::string turning =
        "physics = \"flow\"\nmesh.box = {cells = 300, dimension = 2}\nfluid = {viscosity = 0.1, "
        "density = 2}\n"
        "flow.method = \"classical\"\ntime = {end = 1, step = 0.01, steps = "
        "2}\nsolver.pressure.tolerance = 1e-8\n";
    for (const char* side : {"xmin", "xmax", "ymin", "ymax"})
        turning += "boundary." + std::string(side) +
                   " = {type = \"inflow\", velocity = [\"-y\", \"x\"]}\n";
    const Flow without(turning + "initial = {velocity = [\"-y\", \"x\"]}\n", {"--device", "cpu"});
    const Flow with(turning + "initial = {velocity = [\"-y\", \"x\"], pressure = \"x^2 + y^2\"}\n",
                    {"--device", "cpu"});
    ASSERT_EQ(without.outcome.code, 0) << without.outcome.err;
    ASSERT_EQ(with.outcome.code, 0) << with.outcome.err;
    const double change = largest_difference(last_velocities(without), last_velocities(with));
    EXPECT_GT(change, 1e-6);                      // it is looked at
    EXPECT_LT(change, 1e-3);                      // the error on this mesh
    for (int solver = 0; solver < 2; ++solver) {  // of the pressure, of momentum
        const auto before = without.summary()["solves"][solver],
                   now = with.summary()["solves"][solver];
        EXPECT_LT(now["count"], before["count"]);
        EXPECT_LT(now["iterations"].get<double>(), 0.9 * before["iterations"].get<double>())
            << now << before;
    }
}

}  // namespace
}  // namespace solenoid::test::end_to_end_flow_test
