// Case files of a flow: what is read, what is refused, and whether they fit the mesh.
#include "app/case/case_folder.hpp"
#include "flow/case/flow_physics.hpp"

namespace solenoid::flow_case_test {
namespace {

class FlowCases : public test::CaseFolder {
  protected:
    FlowCase flow_of(const std::string& text,
                     const std::vector<std::string>& overrides = {}) const {
        return settings_of<FlowCase>(read(text, overrides));
    }
    void expect_refusal_after(const std::string& text, int line,
                              const std::vector<std::string>& words) const {
        expect_refusal(minimal + text, minimal_lines + line, words);
    }

    inline static const std::string minimal =
        "physics = \"flow\"\nmesh = {file = \"part.msh\"}\nfluid = {viscosity = 0.01}\n[time]\nend "
        "= 2\n";
    static constexpr int minimal_lines = 5;
    inline static const std::string full = R"(title = "A flow"
physics = "flow"

[mesh]
file = "part.msh"

[fluid]
viscosity = 1e-3
density = 1.2

[flow]
method = "classical"
momentum = "collocated"
non_orthogonal_corrections = 2

[boundary.walls]
type = "wall"

[boundary.lid]
type = "wall"
velocity = [1, "x*t"]

[boundary.inlet]
type = "inflow"
velocity = ["1 - y^2", 0.5, "z"]

[time]
end = 10
# step = 0.5
courant = 0.25
steps = 7
steady_tolerance = 1e-6

[initial]
velocity = ["x", "-y"]

[solver.stream_function]
tolerance = 1e-8
max_iterations = 500

[solver.pressure]
tolerance = 1e-5
max_iterations = 60

[solver.momentum]
tolerance = 1e-6
max_iterations = 50

[[monitor]]
type = "point"
name = "boundary"
at = [1, 2]

[[picture]]
name = "above"

[[picture]]
name = "turning"
field = "vorticity"
)";
};

TEST_F(FlowCases, defaults) {
    const CaseSettings s = read(minimal);
    const FlowCase& flow = settings_of<FlowCase>(s);
    EXPECT_EQ(s.physics->name(), "flow");
    EXPECT_EQ(flow.fluid.viscosity(Vec3(0)), 0.01);
    EXPECT_EQ(flow.fluid.density, 1);
    EXPECT_EQ(flow.flow.method, "exact");
    EXPECT_EQ(flow.flow.momentum, "collocated");
    EXPECT_EQ(flow.flow.non_orthogonal_corrections, 0);
    EXPECT_EQ(flow.flow.diffusion, "implicit");
    EXPECT_TRUE(flow.boundaries.empty());
    EXPECT_FALSE(s.time.steady);
    EXPECT_FALSE(s.time.step || s.time.steps);
    EXPECT_EQ(flow.courant, 0.6);
    EXPECT_EQ(s.time.steady_tolerance, 0);
    for (const Formula& component : flow.initial_velocity) EXPECT_EQ(component({1, 2, 3}), 0);
    EXPECT_FALSE(flow.solvers.stream_function.tolerance || flow.solvers.pressure.tolerance ||
                 flow.solvers.momentum.tolerance);
    EXPECT_EQ(flow_of(minimal, {"fluid.viscosity=0"}).fluid.viscosity(Vec3(0)), 0);
}

TEST_F(FlowCases, momentum_by_name) {
    const CaseSettings s =
        read(minimal + "[flow]\nmomentum = \"rotational\"\ndiffusion = \"explicit\"\n");
    const FlowCase& flow = settings_of<FlowCase>(s);
    EXPECT_EQ(flow.flow.momentum, "rotational");
    EXPECT_EQ(flow.flow.diffusion, "explicit");
    expect_refusal_after("[flow]\ndiffusion = \"explicit\"\n", 2, {"collocated"});
    const std::string thesis = minimal + "[flow]\nmomentum = \"thesis\"\n";
    EXPECT_EQ(flow_of(thesis).flow.convection, "central");
    EXPECT_EQ(flow_of(thesis + "convection = \"upwind\"\n").flow.convection, "upwind");
    EXPECT_EQ(flow_of(minimal + "[flow]\nconvection = \"blended\"\n").flow.convection, "blended");
    expect_refusal_after("[flow]\nmomentum = \"thesis\"\nconvection = \"blended\"\n", 3,
                         {"\"central\" or \"upwind\""});
    expect_refusal_after("[flow]\nmomentum = \"rotational\"\nconvection = \"upwind\"\n", 3,
                         {"\"central\"", "rotational"});
    expect_refusal_after("[flow]\nmethod = \"classical\"\nmomentum = \"rotational\"\n", 3,
                         {"belongs to the method \"exact\""});
    expect_refusal_after("[flow]\nmomentum = \"rotational\"\n[scalar.dye]\ndiffusivity = 1\n", 3,
                         {"carries no scalars", "\"collocated\""});
}

TEST_F(FlowCases, time_scheme) {
    EXPECT_EQ(flow_of(minimal).flow.time_scheme, "bdf2");
    EXPECT_EQ(flow_of(minimal + "[flow]\ntime_scheme = \"midpoint\"\n").flow.time_scheme,
              "midpoint");
    EXPECT_EQ(flow_of(minimal + "[flow]\nmethod = \"classical\"\ntime_scheme = \"midpoint\"\n")
                  .flow.time_scheme,
              "midpoint");
    EXPECT_EQ(flow_of(minimal + "[flow]\nmomentum = \"rotational\"\ntime_scheme = \"bdf2\"\n")
                  .flow.momentum,
              "rotational");
    expect_refusal_after("[flow]\ntime_scheme = \"euler\"\n", 2,
                         {"time_scheme must be \"bdf2\" or \"midpoint\", found \"euler\""});
    expect_refusal_after("[flow]\ntime_scheme = 2\n", 2,
                         {"time_scheme must be", "found the integer 2"});
    expect_refusal_after("[flow]\nmomentum = \"rotational\"\ntime_scheme = \"midpoint\"\n", 3,
                         {"belongs to the momentum \"collocated\", not to \"rotational\""});
    expect_refusal_after("[flow]\nmomentum = \"thesis\"\ntime_scheme = \"midpoint\"\n", 3,
                         {"\"collocated\", not to \"thesis\""});
}

TEST_F(FlowCases, convection_of_a_scalar) {
    const std::string dye = minimal + "[scalar.dye]\ndiffusivity = 1\n";
    EXPECT_EQ(flow_of(dye).scalars[0].convection, "bounded");
    EXPECT_EQ(flow_of(dye + "[flow]\nconvection = \"upwind\"\n").scalars[0].convection, "bounded")
        << "the flow's rules it";
    for (const char* name : {"bounded", "central", "upwind", "blended"})
        EXPECT_EQ(flow_of(dye + "convection = \"" + name + "\"\n").scalars[0].convection, name);
    expect_refusal_after("[scalar.dye]\ndiffusivity = 1\nconvection = \"bound\"\n", 3,
                         {"\"bounded\", \"central\", \"upwind\" or \"blended\"", "bound"});
}

TEST_F(FlowCases, every_key) {
    const CaseSettings s = read(full);
    const FlowCase& flow = settings_of<FlowCase>(s);
    EXPECT_EQ(flow.fluid.viscosity(Vec3(0)), 1e-3);
    EXPECT_EQ(flow.fluid.density, 1.2);
    EXPECT_EQ(flow.flow.method, "classical");
    EXPECT_EQ(flow.flow.non_orthogonal_corrections, 2);
    ASSERT_EQ(flow.boundaries.size(), 3u);
    EXPECT_EQ(flow.boundaries[0].name, "walls");
    EXPECT_TRUE(flow.boundaries[0].condition->is_wall());
    EXPECT_EQ(flow.boundaries[0].condition->velocity()[0]({1, 1, 1}), 0);
    EXPECT_EQ(flow.boundaries[0].place, (folder_ / "shaft/case.toml:16").string());
    EXPECT_TRUE(flow.boundaries[1].condition->is_wall());
    EXPECT_EQ(flow.boundaries[1].condition->velocity()[1]({3, 0, 0}, 2), 6);
    EXPECT_EQ(flow.boundaries[1].condition->velocity()[2]({3, 3, 3}, 2), 0);
    EXPECT_EQ(flow.boundaries[1].condition->velocity()[1].place(),
              (folder_ / "shaft/case.toml:21").string());
    EXPECT_TRUE(flow.boundaries[2].condition->is_inflow());
    EXPECT_EQ(flow.boundaries[2].condition->velocity()[0]({0, 2, 0}), -3);
    EXPECT_EQ(flow.boundaries[2].condition->velocity()[1]({}), 0.5);
    EXPECT_EQ(flow.boundaries[2].condition->velocity()[2]({0, 0, 4}), 4);
    EXPECT_EQ(s.time.end, 10);
    EXPECT_FALSE(s.time.step);
    EXPECT_EQ(read(full, {"time.step=0.5"}).time.step, 0.5);
    EXPECT_EQ(flow.courant, 0.25);
    EXPECT_EQ(s.time.steps, 7);
    EXPECT_EQ(s.time.steady_tolerance, 1e-6);
    EXPECT_EQ(flow.initial_velocity[1]({0, 2, 0}), -2);
    EXPECT_EQ(flow.solvers.stream_function.tolerance, 1e-8);
    EXPECT_EQ(flow.solvers.stream_function.max_iterations, 500);
    EXPECT_EQ(flow.solvers.pressure.tolerance, 1e-5);
    EXPECT_EQ(flow.solvers.pressure.max_iterations, 60);
    EXPECT_EQ(flow.solvers.momentum.tolerance, 1e-6);
    EXPECT_EQ(flow.solvers.momentum.max_iterations, 50);
    EXPECT_EQ(s.monitors.at(0).name, "boundary");
    EXPECT_EQ(s.pictures.at(0).field, "speed");
    EXPECT_EQ(s.pictures.at(1).field, "vorticity");
}

TEST_F(FlowCases, missing) {
    expect_refusal("physics = \"flow\"\nmesh = {file = \"part.msh\"}\n", 0,
                   {"needs the key \"fluid\""});
    expect_refusal("physics = \"flow\"\nmesh = {file = \"part.msh\"}\n[fluid]\n", 3,
                   {"[fluid] needs the key \"viscosity\""});
    expect_refusal("physics = \"flow\"\nmesh = {file = \"part.msh\"}\nfluid = {viscosity = 1}\n", 0,
                   {"a flow case needs a table [time]"});
    expect_refusal_after("[boundary.a]\ntype = \"inflow\"\n", 1,
                         {"[boundary.a] needs the key \"velocity\""});
    expect_refusal_after("[boundary.a]\nvelocity = [1, 0]\n", 1,
                         {"[boundary.a] needs the key \"type\""});
    expect_refusal_after("[initial]\n", 1, {"[initial] needs the key \"velocity\""});
    expect_refusal_after("[initial]\npressure = 1\n", 2, {"flow.method = \"classical\""});
    expect_refusal_after(
        "[flow]\nmethod = \"classical\"\n[boundary.a]\ntype = \"periodic\"\npartner = \"b\"\nflux "
        "= 1\n",
        6, {"exact method", "flow.method = \"exact\""});
}

TEST_F(FlowCases, viscosities_that_vary) {
    const std::string start = "physics = \"flow\"\nmesh = {file = \"part.msh\"}\n[time]\nend = 1\n";
    const std::string law =
        "[viscosity]\ntype = \"power_law\"\nconsistency = 0.1\nindex = 0.5\nleast = 1e-3\nlargest "
        "= 10\n";
    const FlowCase formula = flow_of(start + "[fluid]\nviscosity = \"1+x\"\n"),
                   power = flow_of(start + "[fluid]\n" + law);
    EXPECT_EQ(formula.fluid.viscosity({2, 0, 0}), 3);
    EXPECT_FALSE(formula.fluid.law);
    EXPECT_TRUE(power.fluid.law);
    expect_refusal(start + "[flow]\nmomentum = \"thesis\"\n[fluid]\nviscosity = \"1+x\"\n", 8,
                   {"the viscosity varies", "\"collocated\""});
    expect_refusal(start + "[fluid]\nviscosity = 1\n" + law, 6,
                   {"belongs to a fluid without a table [viscosity]"});
    expect_refusal(start + "[fluid]\n" + law + "time = 1\n", 12,
                   {"belongs to the type \"carreau_yasuda\""});
    expect_refusal(start + "[fluid]\n[viscosity]\ntype = \"bingham\"\n", 7,
                   {"\"power_law\"", "\"carreau_yasuda\""});
    expect_refusal(start +
                       "[fluid]\n[viscosity]\ntype = \"power_law\"\nconsistency = 1\nindex = "
                       "4\nleast = 1\nlargest = 2\n",
                   9, {"index"});
    expect_refusal(start +
                       "[fluid]\n[viscosity]\ntype = \"power_law\"\nconsistency = 1\nindex = "
                       "1\nleast = 3\nlargest = 2\n",
                   10, {"must not exceed"});
}

TEST_F(FlowCases, bad_values) {
    const auto expect_override = [&](const std::string& text,
                                     const std::vector<std::string>& words) {
        const std::string message = refusal(full, {text});
        EXPECT_TRUE(message.starts_with("--set " + text.substr(0, text.find('=')) + ": "))
            << message;
        expect_words(message, words);
    };
    expect_override("fluid.viscosity=-1", {"must not be negative, found -1"});
    expect_override("fluid.viscosity=-1*2", {"must not be negative, found -2"});
    expect_override("fluid.viscosity=1+", {"cannot read the formula"});
    expect_override("boundary.walls={type=\"rotating_wall\", omega=\"t*x\"}",
                    {"omega must be a number or a formula of t alone, found \"t*x\""});
    expect_override("boundary.walls={type=\"periodic\", partner=\"lid\", flux=\"sin(y)\"}",
                    {"flux must be a number or a formula of t alone"});
    expect_override("fluid.density=0", {"must be positive"});
    expect_override("flow.method=clasical",
                    {"must be \"exact\" or \"classical\", found \"clasical\""});
    expect_override("flow.non_orthogonal_corrections=-1", {"from 0 to 100"});
    expect_override("flow.momentum=upwind",
                    {"\"collocated\", \"rotational\" or \"thesis\", found \"upwind\""});
    expect_override("time.courant=0", {"courant must be positive"});
    expect_override("time.steady_tolerance=1", {"must be from 0 (never stop) to below 1, found 1"});
    expect_override("time.steady_tolerance=-1", {"found -1"});
    expect_override("solver.momentum.tolerance=2", {"between 0 and 1"});
    expect_override("solver.momentum.preconditioner=ilu",
                    {"\"automatic\", \"multigrid\", \"jacobi\" or \"none\""});
    expect_override("boundary.walls.type=wal", {"must be \"wall\", \"inflow\"", "found \"wal\""});
    expect_override("boundary.lid.velocity=1", {"must be a list of 2 or 3 numbers or formulas"});
    expect_override("boundary.lid.velocity=[1]", {"a list of 2 or 3", "found 1 elements"});
    expect_override("boundary.lid.velocity=[1, true]",
                    {"must hold numbers or formulas", "found true in it"});
    expect_override("boundary.lid.velocity=[1, nan]", {"must be finite"});
    expect_override("boundary.lid.velocity=[1e308, 0]",
                    {"must be 1e+30 at most in magnitude, found the number 1e+308"});
    expect_override("fluid.viscosity=1e300", {"must be 1e+30 at most in magnitude"});
    expect_override("fluid.density=1e300", {"must be 1e+30 at most in magnitude"});
    expect_override("fluid.gravity=[0, -1e31]", {"must be 1e+30 at most in magnitude"});
    expect_override("boundary.lid.velocity=[1, \"1+q\"]", {"unknown name \"q\""});
    expect_override(
        "picture.0.field=temperature",
        {"\"speed\", \"vorticity\", \"q_criterion\", \"pressure\" or \"stream_function\""});
    expect_override("monitor.0.name=flow", {"\"flow\" is the file"});
    expect_override("monitor.0.name=boundaries", {"\"boundaries\""});
}

TEST_F(FlowCases, a_step_or_a_courant_number) {
    expect_refusal_after("step = 0.1\ncourant = 0.5\n", 1,
                         {"[time] step and \"courant\": give one of them"});
    expect_refusal_after("courant = 0.5\nstep = 0.1\n", 2,
                         {"[time] step and \"courant\": give one of them"});
    expect_words(refusal(minimal, {"time={end = 1, step = 0.1, courant = 0.5}"}),
                 {"[time] step and \"courant\""});
    for (const char* key : {"tolerance", "first_step", "largest_step"})
        expect_words(refusal(minimal, {fmt::format("time={{end = 1, step = 0.1, {} = 0.5}}", key)}),
                     {fmt::format("[time] step and \"{}\": give one of them", key)});
    expect_words(refusal(minimal, {"time={end = 1, first_step = 0.2, largest_step = 0.1}"}),
                 {"first_step = 0.2 s is longer than largest_step = 0.1 s: reduce first_step"});
    expect_words(refusal(minimal, {"flow.momentum=rotational", "time={end = 1, tolerance = 1e-4}"}),
                 {"tolerance goes with momentum = \"collocated\"", "leave it out"});
    EXPECT_EQ(read(minimal, {"time={end = 1, tolerance = 1e-4}"}).time.tolerance, 1e-4);
    EXPECT_EQ(read(minimal, {}).time.tolerance, 1e-3);
    const CaseSettings fixed = read(minimal + "courant = 0.8\n", {"time.step=0.1"}),
                       following = read(minimal + "step = 0.1\n", {"time.courant=0.8"});
    EXPECT_EQ(fixed.time.step, 0.1);
    EXPECT_FALSE(following.time.step);
    EXPECT_EQ(settings_of<FlowCase>(following).courant, 0.8);
    // later ones win
    EXPECT_EQ(read(minimal, {"time.courant=0.8", "time.step=0.1"}).time.step, 0.1);
    EXPECT_FALSE(read(minimal, {"time.step=0.1", "time.courant=0.8"}).time.step);
}

TEST_F(FlowCases, open_boundaries_and_symmetry) {
    const CaseSettings s = read(
        minimal + "[boundary.end]\ntype = \"outflow\"\n[boundary.axis]\ntype = \"symmetry\"\n");
    const FlowCase& flow = settings_of<FlowCase>(s);
    EXPECT_TRUE(flow.boundaries.at(0).condition->is_open());
    EXPECT_TRUE(flow.boundaries.at(1).condition->slips());
    for (const char* type : {"outflow", "symmetry"})
        expect_refusal_after(
            std::string("[boundary.a]\ntype = \"") + type + "\"\nvelocity = [1, 0]\n", 3,
            {"velocity belongs to the type \"wall\" or \"inflow\"", type});
}

TEST_F(FlowCases, a_given_pressure) {
    const std::string classical = minimal + "[flow]\nmethod = \"classical\"\n",
                      inlet = "[boundary.inlet]\ntype = \"pressure\"\n";
    const CaseSettings s = read(classical + inlet + "pressure = \"3 + y*t\"\n");
    const FlowCase& flow = settings_of<FlowCase>(s);
    EXPECT_TRUE(flow.boundaries.at(0).condition->is_open());
    EXPECT_EQ(flow.boundaries.at(0).condition->pressure()({0, 2, 0}, 4), 11);
    expect_words(refusal(classical + inlet), {"pressure"});
    expect_words(refusal(classical + inlet + "pressure = 1\nvelocity = [1, 0]\n"),
                 {"velocity belongs to"});
    expect_words(refusal(classical + "[boundary.b]\ntype = \"outflow\"\npressure = 1\n"),
                 {"belongs to the type \"pressure\""});
    expect_refusal_after(
        inlet + "pressure = 1\n", 2,
        {"type \"pressure\" belongs to the classical method", "flow.method = \"classical\""});
}

TEST_F(FlowCases, forces) {
    const std::string force =
        "[[monitor]]\ntype = \"force\"\nname = \"body\"\nboundaries = [\"walls\"]\n";
    const CaseSettings s = read(full + force +
                                "reference_speed = 2\nreference_area = 3\ndrag = [0, 4]\nlift = "
                                "[-2, 0]\ncentre = [1, 2]\n");
    const ForceMonitor& f = settings_of<ForceMonitor>(s.monitors.at(1));
    EXPECT_EQ(f.boundaries, std::vector<std::string>{"walls"});
    EXPECT_EQ(f.speed, 2);
    EXPECT_EQ(f.area, 3);
    EXPECT_EQ(f.drag, Vec3(0, 1, 0));
    EXPECT_EQ(f.lift, Vec3(-1, 0, 0));
    EXPECT_EQ(f.centre, Vec3(1, 2, 0));
    const auto refused = [&](const std::string& more, const std::vector<std::string>& words) {
        expect_words(refusal(full + force + more), words);
    };
    refused("at = [0, 0]\n", {"at belongs to a line or a point"});
    refused("reference_speed = 0\n", {"must be positive"});
    refused("drag = [0, 0]\n", {"drag must not be zero"});
    refused("scalar = \"T\"\n", {"belongs to a monitor of type \"nusselt\""});
    expect_words(refusal(full, {"monitor.0.boundaries=[\"walls\"]"}),
                 {"belongs to a monitor of type \"force\""});
    expect_words(refusal(full + force, {"monitor.1.boundaries=[]"}), {"must not be empty"});
    expect_words(refusal(full + force, {"monitor.1.boundaries=walls"}),
                 {"must be a list of strings"});
    expect_words(refusal(full + force, {"monitor.1.boundaries=[1]"}),
                 {"a list of strings in quotes, found"});
    const MeshNames mesh{3, {"walls", "lid", "inlet"}, {}, {}};
    const auto unfit = [&](const std::string& change) {
        return refusal_of([&] { check_names(read(full + force, {change}), mesh); });
    };
    EXPECT_EQ(unfit("monitor.1.boundaries=[\"walls\"]"), "accepted");
    expect_words(unfit("monitor.1.boundaries=[\"wals\"]"), {"no boundary \"wals\""});
    expect_words(unfit("monitor.1.boundaries=[\"walls\", \"lid\", \"walls\"]"),
                 {"the monitor \"body\"", "names \"walls\" twice"});
    expect_words(unfit("monitor.1.boundaries=[\"inlet\"]"),
                 {"a force is measured at walls", "[boundary.inlet]"});
}

TEST_F(FlowCases, budgets_of_energy) {
    const std::string energy = "[[monitor]]\ntype = \"energy\"\nname = \"energy\"\n";
    const CaseSettings s = read(minimal + energy);
    EXPECT_EQ(s.monitors.at(0).type, "energy");
    expect_words(refusal(minimal + energy + "at = [0, 0]\n"), {"at belongs to a line or a point"});
    expect_words(refusal(minimal + energy + "boundaries = [\"lid\"]\n"),
                 {"belongs to a monitor of type \"force\""});
    for (const char* momentum : {"rotational", "thesis"})
        expect_words(refusal(minimal + energy, {std::string("flow.momentum=") + momentum}),
                     {"[[monitor]]", "budget of collocated momentum", momentum});
}

TEST_F(FlowCases, keys_of_heat) {
    const std::string here = "belongs to a heat case";
    expect_refusal_after("[material.default]\nconductivity = 1\n", 1, {"material " + here});
    expect_refusal_after("[initial]\ntemperature = 1\n", 2, {"[initial] temperature " + here});
    expect_refusal_after("[solver.temperature]\n", 1, {"[solver] temperature " + here});
    for (const char* type : {"temperature", "flux", "convection", "insulated"})
        expect_refusal_after(std::string("[boundary.a]\ntype = \"") + type + "\"\n", 2,
                             {here, "must be \"wall\", \"inflow\""});
    expect_refusal_after(
        "[boundary.a]\ntype = \"wall\"\nvalue = 1\n", 3,
        {"value belongs to a case with physics = \"heat\", \"wave\" or \"poisson\""});
    for (const char* key : {"h", "T_inf"})
        expect_refusal_after(std::string("[boundary.a]\ntype = \"wall\"\n") + key + " = 1\n", 3,
                             {key, here});
}

TEST_F(FlowCases, keys_of_flow_in_a_heat_case) {
    const std::string heat =
        "[mesh]\nfile = \"part.msh\"\n[material.default]\nconductivity = 1\nheat_capacity = 1\n";
    const std::string here = "belongs to a flow case";
    expect_refusal(heat + "[fluid]\nviscosity = 1\n", 6,
                   {"fluid " + here + ", one with physics = \"flow\""});
    expect_refusal(heat + "[flow]\n", 6, {"flow " + here});
    expect_refusal(heat + "[time]\ncourant = 1\n", 7, {"[time] courant " + here});
    expect_refusal(heat + "[time]\nsteady_tolerance = 1\n", 7, {"[time] steady_tolerance " + here});
    expect_refusal(heat + "[initial]\nvelocity = 1\n", 7,
                   {"[initial] velocity belongs to a case with physics = \"flow\" or \"wave\""});
    expect_refusal(heat + "[solver.momentum]\n", 6, {"[solver] momentum " + here});
    expect_refusal(heat + "[boundary.a]\ntype = \"wall\"\n", 7,
                   {here,
                    "must be \"temperature\", \"flux\", \"convection\", \"insulated\", \"contact\" "
                    "or \"periodic\""});
    expect_refusal(heat + "[boundary.a]\ntype = \"flux\"\nvelocity = [1, 2]\n", 8,
                   {"velocity " + here});
    EXPECT_EQ(read(heat + "[[monitor]]\ntype = \"point\"\nname = \"flow\"\nat = [0, 0]\n")
                  .monitors.size(),
              1u);
}

TEST_F(FlowCases, fitting_the_mesh) {
    const std::string two =
        full.substr(0, full.find(", \"z\"]")) + "]\n" + full.substr(full.find("\n[time]"));
    const CaseSettings s = read(two);
    const MeshNames mesh{2, {"walls", "lid", "inlet"}, {"seam"}, {"water"}};
    EXPECT_EQ(refusal_of([&] { check_names(s, mesh); }), "accepted");
    const std::string file = (folder_ / "shaft/case.toml").string();
    const auto refusal_with = [&](const std::vector<std::string>& changes, const MeshNames& names) {
        return refusal_of([&] { check_names(read(two, changes), names); });
    };
    expect_words(
        refusal_with({}, {2, {"walls", "lit", "inlet"}, {}, {}}),
        {file + ":19: [boundary.lid]: the mesh has no boundary \"lid\"; did you mean \"lit\"?"});
    expect_words(refusal_with({}, {2, {"walls", "lid", "inlet", "top"}, {}, {}}),
                 {file + ": no condition for the boundary \"top\"", "[boundary.top]"});
    EXPECT_EQ(s.physics->baffles(s), (std::vector<std::string>{"walls", "lid"}));
    expect_words(refusal_with({"boundary.seam.type=wall"}, mesh),
                 {"\"seam\" lies inside the domain", "slit the mesh"});
    expect_words(refusal_with({}, {2, mesh.boundaries, {"seam"}, {"water"}, {"lid"}}),
                 {file + ":19: [boundary.lid]: a part of \"lid\" lies inside the domain",
                  "leave it out of the group"});
    expect_words(refusal_with({"boundary.lid.velocity=[1, 0, 1]"}, mesh),
                 {"[boundary.lid]", "give two"});
    expect_words(refusal_with({"initial.velocity=[1, 0, \"z\"]"}, mesh),
                 {"--set initial.velocity: [initial]", "give two"});
    expect_words(refusal_with({"flow.body_force=[0, 0, 1]"}, mesh),
                 {"[flow] body_force has a third component", "give two"});
    EXPECT_EQ(refusal_with({"flow.body_force=[0, 1, 0]"}, mesh), "accepted");
    expect_words(refusal_with({"fluid.gravity=[0, 0, 1]"}, mesh),
                 {"--set fluid.gravity: [fluid] gravity", "give two"});
    expect_words(refusal_with({"picture.0.field=stream_function"}, {3, mesh.boundaries, {}, {}}),
                 {file + ":54", "in two dimensions only"});
    EXPECT_EQ(refusal_with({"picture.0.field=stream_function"}, mesh), "accepted");
    expect_words(refusal_with({"picture.0.height_of=speed"}, {3, mesh.boundaries, {}, {}}),
                 {"--set picture.0.height_of: height_of draws heights over a plane mesh",
                  "leave it out, and take field = \"speed\""});
    EXPECT_EQ(refusal_with({"picture.0.height_of=vorticity"}, mesh), "accepted");
    expect_words(refusal_with({"picture.0.height_of=velocity"}, mesh),
                 {"--set picture.0.height_of: [[picture]] height_of takes a quantity of one column",
                  "\"velocity\" has 3: take \"speed\""});
}

TEST_F(FlowCases, starter_flow_case) {
    for (const int dimension : {2, 3}) {
        const std::vector<std::string> boundaries{"lid", "outer \"wall\"", "a.b"};
        const CaseSettings s = read(FlowPhysics().starter(
            "part.msh", dimension, {{"lid", "wall", {0, 1, 0}}, {boundaries[1]}, {boundaries[2]}},
            0.3));
        const FlowCase& flow = settings_of<FlowCase>(s);
        EXPECT_EQ(refusal_of([&] {
                      check_names(s, {dimension, boundaries, {}, {"water"}});
                  }),
                  "accepted");
        EXPECT_EQ(flow.fluid.viscosity(Vec3(0)), 0.003);
        EXPECT_EQ(s.time.end, 0.3);
        ASSERT_EQ(flow.boundaries.size(), 3u);
        for (const FlowBoundary& b : flow.boundaries) {
            EXPECT_TRUE(b.condition->is_wall());
            EXPECT_EQ(b.condition->velocity()[1]({}), b.name == "lid" ? 1 : 0);
        }
        EXPECT_EQ(s.pictures.at(0).field, "speed");
    }
}

}  // namespace
}  // namespace solenoid::flow_case_test
