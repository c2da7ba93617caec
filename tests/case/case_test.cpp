// Case files: what is read, what is refused at which place with which words, overrides, names, and mutated
// files.
#include <random>

#include "heat/case/heat_physics.hpp"
#include "support/case_folder.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

// Heat cases.
class CaseFiles : public test::CaseFolder {
  protected:
    // The same for text appended to a valid case of `minimal_lines` lines: `line` counts from there.
    void expect_refusal_after(const std::string& text, int line,
                              const std::vector<std::string>& words) const {
        expect_refusal(minimal + text, minimal_lines + line, words);
    }
    void expect_override_refusal(const std::string& text, const std::string& key,
                                 const std::vector<std::string>& words) const {
        const std::string message = refusal(full, {text});
        EXPECT_TRUE(message.starts_with("--set" + (key.empty() ? "" : " " + key) + ": ")) << message;
        expect_words(message, words);
    }

    inline static const std::string minimal =
        "[mesh]\nfile = \"part.msh\"\n[material.default]\nconductivity = 2\n";
    static constexpr int minimal_lines = 4;
    inline static const std::string full = R"(title = "A case"
physics = "heat"

[mesh]
file = "part.msh"
scale = 0.001
ordering = "reverse-cuthill-mckee"

[material.steel]
conductivity = "45 + x"
density = 7800
specific_heat = 500.0
source = 1e3

[boundary.front]
type = "temperature"
value = "300 + 10*t"

[boundary."outer wall"]
type = "convection"
h = 20
T_inf = "290 + x"

[boundary.rear]
type = "flux"
value = -5.5

[boundary.sides]
type = "insulated"

[time]
end = 10
# step = 0.5
tolerance = 1e-4
steps = 7

[initial]
temperature = "300 + y"

[solver.temperature]
tolerance = 1e-8
max_iterations = 500
preconditioner = "none"

[output]
interval = 2.5
vtk = false

[[monitor]]
type = "line"
name = "axis"
from = [0, 0, 0]
to = [1.5, 0, 0]
points = 11

[[monitor]]
type = "point"
name = "tip"
at = [1, 2, 3]

[[picture]]
name = "above"
field = "temperature"
width = 640
height = 480
mesh = true
range = [290, 310.5]
direction = [0, 0, -1]
)";
};

TEST_F(CaseFiles, defaults) {
    const CaseSettings s = read(minimal);
    const HeatSettings& heat = settings_of<HeatSettings>(s);
    EXPECT_EQ(s.name, "shaft");
    EXPECT_EQ(s.physics->name(), "heat");
    EXPECT_EQ(s.mesh.file, folder_ / "shaft/part.msh");
    EXPECT_FALSE(s.mesh.box);
    EXPECT_EQ(s.mesh.scale, 1);
    EXPECT_EQ(s.mesh.ordering, "hilbert");
    EXPECT_EQ(heat.materials.at("default").conductivity({}), 2);
    EXPECT_EQ(heat.materials.at("default").heat_capacity({}), 1);
    EXPECT_EQ(heat.materials.at("default").source({}), 0);
    EXPECT_TRUE(heat.boundaries.empty());
    EXPECT_TRUE(s.time.steady);
    EXPECT_FALSE(s.time.step);
    EXPECT_EQ(heat.step_tolerance, 1e-3);
    EXPECT_FALSE(heat.solver.tolerance);
    EXPECT_EQ(heat.solver.max_iterations, 100000);
    EXPECT_EQ(heat.solver.preconditioner, "automatic");
    EXPECT_FALSE(s.output.interval || s.output.every);
    EXPECT_TRUE(s.output.vtk);
    EXPECT_TRUE(s.monitors.empty() && s.pictures.empty());
}

TEST_F(CaseFiles, every_key) {
    const CaseSettings s = read(full);
    const HeatSettings& heat = settings_of<HeatSettings>(s);
    EXPECT_EQ(s.title, "A case");
    EXPECT_EQ(s.mesh.scale, 0.001);
    EXPECT_EQ(s.mesh.ordering, "reverse-cuthill-mckee");
    const MaterialSettings& steel = heat.materials.at("steel");
    EXPECT_EQ(steel.conductivity({1, 0, 0}), 46);
    EXPECT_EQ(steel.heat_capacity({}), 7800 * 500);
    EXPECT_EQ(steel.source({}), 1000);
    ASSERT_EQ(heat.boundaries.size(), 4u);
    EXPECT_EQ(heat.boundaries[0].name, "front");
    EXPECT_EQ((*heat.boundaries[0].condition->temperature())({}, 2), 320);
    EXPECT_EQ(heat.boundaries[1].name, "outer wall");
    EXPECT_EQ(heat.boundaries[1].condition->exchange()->coefficient({}), 20);
    EXPECT_EQ(heat.boundaries[1].condition->exchange()->ambient({3, 0, 0}), 293);
    EXPECT_EQ(heat.boundaries[1].place, (folder_ / "shaft/case.toml:19").string());
    EXPECT_EQ((*heat.boundaries[2].condition->flux())({}), -5.5);
    EXPECT_FALSE(heat.boundaries[3].condition->lets_heat_pass());
    EXPECT_FALSE(s.time.steady);
    EXPECT_EQ(s.time.end, 10);
    EXPECT_FALSE(s.time.step);
    EXPECT_EQ(heat.step_tolerance, 1e-4);
    EXPECT_EQ(s.time.steps, 7);
    EXPECT_EQ(heat.initial({0, 1, 0}), 301);
    EXPECT_EQ(heat.solver.tolerance, 1e-8);
    EXPECT_EQ(heat.solver.max_iterations, 500);
    EXPECT_EQ(heat.solver.preconditioner, "none");
    EXPECT_EQ(s.output.interval, 2.5);
    EXPECT_FALSE(s.output.vtk);
    ASSERT_EQ(s.monitors.size(), 2u);
    EXPECT_EQ(s.monitors[0].type, "line");
    EXPECT_EQ(s.monitors[0].to, Vec3(1.5, 0, 0));
    EXPECT_EQ(s.monitors[0].points, 11);
    EXPECT_EQ(s.monitors[1].from, Vec3(1, 2, 3));
    ASSERT_EQ(s.pictures.size(), 1u);
    EXPECT_EQ(s.pictures[0].width, 640);
    EXPECT_EQ(s.pictures[0].height, 480);
    EXPECT_TRUE(s.pictures[0].mesh);
    EXPECT_EQ(s.pictures[0].range, (std::array<double, 2>{290, 310.5}));
    EXPECT_EQ(s.pictures[0].direction, Vec3(0, 0, -1));
}

TEST_F(CaseFiles, boxes) {
    const std::string end = "[material.box]\nconductivity = 1\n";
    const CaseSettings cube = read("[mesh.box]\ncells = 500\n" + end);
    EXPECT_TRUE(cube.mesh.file.empty());
    EXPECT_EQ(cube.mesh.box->cells, 500u);
    EXPECT_EQ(cube.mesh.box->dimension, 3);
    EXPECT_EQ(cube.mesh.box->high, Vec3(1, 1, 1));
    const CaseSettings flat =
        read("[mesh.box]\ncells = 5\ndimension = 2\nlow = [-1, 0]\nhigh = [2, 3]\njitter = 0\n" + end);
    EXPECT_EQ(flat.mesh.box->low, Vec3(-1, 0, 0));
    EXPECT_EQ(flat.mesh.box->high, Vec3(2, 3, 0));
    EXPECT_EQ(flat.mesh.box->jitter, 0);
    expect_refusal("[mesh.box]\ncells = 0\n", 2, {"[mesh.box] cells must be from 1 to"});
    expect_refusal("[mesh.box]\n", 1, {"[mesh.box] needs the key \"cells\""});
    expect_refusal("[mesh.box]\ncells = 9\ndimension = 4\n", 3, {"dimension must be from 2 to 3, found 4"});
    expect_refusal("[mesh.box]\ncells = 9\nhigh = [1, 0, 1]\n", 3,
                   {"empty in y", "low 0 is not below high 0"});
    expect_refusal("[mesh.box]\ncells = 9\ndimension = 2\nlow = [0, 0, 1]\n", 4, {"third coordinate"});
    expect_refusal("[mesh.box]\ncells = 9\njitter = 1.5\n", 3, {"jitter must be from 0 to"});
}

TEST_F(CaseFiles, names) {
    EXPECT_EQ(case_name("cases/crankshaft/case.toml"), "crankshaft");
    EXPECT_EQ(case_name("cases/crankshaft/quench.toml"), "quench");
    EXPECT_EQ(case_name("/case.toml"), "case");
    EXPECT_EQ(read("name = \"first run\"\n" + minimal).name, "first run");
    expect_refusal("name = \"a/b\"\n" + minimal, 1, {"name names a file", "\"a/b\""});
}

TEST_F(CaseFiles, unreadable_files) {
    const std::string missing = (folder_ / "none.toml").string();
    EXPECT_EQ(refusal_of([&] { read_case(missing, all_physics()); }), missing + ": no such file");
    expect_words(refusal_of([&] { read_case(folder_, all_physics()); }), {folder_.string() + ": a folder"});
    expect_refusal("", 0, {"the file is empty"});
    expect_refusal("\n \n", 0, {"the file is empty"});
    expect_refusal("# only a comment\n", 0, {"the file needs the key \"mesh\""});
    expect_refusal("title = \"\xFF\xFE\"\n", 1, {"not valid TOML", "utf-8"});
    expect_refusal(std::string("\x7F"
                               "ELF\x02\x01\x01\x00\x00",
                               9),
                   1, {"not valid TOML"});
    expect_refusal("$MeshFormat\n4.1 0 8\n", 1, {"not valid TOML"});
    expect_refusal("[mesh]\nfile = \n", 2, {"not valid TOML"});
    expect_refusal("[mesh\nfile = 1\n", 1, {"not valid TOML"});
    expect_refusal("a = " + std::string(100000, '[') + "\n", 1, {"not valid TOML"});
    std::string dots = "a";
    for (int i = 0; i < 100000; ++i) dots += ".a";
    expect_refusal("\n[" + dots + "]\n", 2, {"a key of many parts"});
    expect_refusal("x = [\"a.a.a\", '''\"''', {" + dots + " = 1}]\n", 1, {"a key of many parts"});
    EXPECT_EQ(read("title = \"" + dots + "\" # " + dots + "\n" + minimal).title, dots);
}

TEST_F(CaseFiles, unknown_keys) {
    expect_refusal("phisics = \"heat\"\n" + minimal, 1,
                   {"unknown key \"phisics\"", "did you mean \"physics\"?"});
    expect_refusal_after("[boundry.a]\ntype = \"insulated\"\n", 1,
                         {"\"boundry\"", "did you mean \"boundary\"?"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\nscal = 2\n", 3,
                   {"\"scal\" in [mesh]", "\"scale\"?", "known: file"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\n[material.default]\nconductivty = 1\n", 4,
                   {"\"conductivty\" in [material.default]", "did you mean \"conductivity\"?"});
    expect_refusal_after("[boundary.a]\ntype = \"flux\"\nvaleu = 1\n", 3, {"in [boundary.a]", "\"value\"?"});
    expect_refusal_after("[solver.humidity]\ntolerance = 1\n", 1,
                         {"\"humidity\" in [solver]", "known: temperature"});
    expect_refusal_after("[solver.temperature]\ntol = 1\n", 2,
                         {"\"tol\" in [solver.temperature]", "tolerance"});
    expect_refusal_after("[output]\ninterval = 1\nevry = 1\n", 3, {"\"evry\" in [output]", "\"every\"?"});
    expect_refusal_after("[[monitor]]\nname = \"a\"\nkind = \"line\"\n", 3, {"\"kind\" in [[monitor]]"});
    expect_refusal_after("[[picture]]\nname = \"a\"\nwith = 3\n", 3,
                         {"\"with\" in [[picture]]", "\"width\"?"});
    expect_refusal("zebra = 1\napple = 2\n" + minimal, 1, {"\"zebra\""});
}

TEST_F(CaseFiles, wrong_types) {
    expect_refusal("physics = 3\n" + minimal, 1,
                   {"physics must be \"heat\"", "found the integer 3"});
    expect_refusal("physics = \"flw\"\n" + minimal, 1, {"found \"flw\"; did you mean \"flow\"?"});
    expect_refusal("mesh = \"part.msh\"\n", 1,
                   {"mesh must be a table, [mesh], found the string \"part.msh\""});
    expect_refusal("[mesh]\nfile = 7\n", 2, {"[mesh] file must be a string in quotes, found the integer 7"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\nscale = \"big\"\n", 3,
                   {"scale must be a number, found the string"});
    expect_refusal_after("[time]\nend = true\n", 2, {"[time] end must be a number, found true"});
    expect_refusal_after("[time]\nend = 1979-05-27\n", 2, {"found a date"});
    expect_refusal_after("[time]\nend = [1]\n", 2, {"found a list"});
    expect_refusal_after("[time]\nend = nan\n", 2, {"must be finite"});
    expect_refusal_after("[time]\nend = 1\nsteps = 1.5\n", 3,
                         {"steps must be an integer, found the number 1.5"});
    expect_refusal_after("[output]\nvtk = 1\n", 2,
                         {"[output] vtk must be true or false, found the integer 1"});
    expect_refusal_after("[boundary.a]\ntype = \"flux\"\nvalue = false\n", 3,
                         {"a number or a formula in quotes"});
    expect_refusal_after("[boundary]\na = 3\n", 2, {"[boundary] a must be a table, [boundary.a]"});
    expect_refusal_after("[monitor]\nname = \"a\"\n", 1,
                         {"a list of tables, each headed [[monitor]], found a table"});
    expect_refusal_after("[[monitor]]\nname = \"a\"\ntype = \"point\"\nat = [1, \"2\"]\n", 4,
                         {"at must be a list of 2 or 3 numbers, found the string \"2\" in it"});
    expect_refusal_after("[[monitor]]\nname = \"a\"\ntype = \"point\"\nat = [1]\n", 4, {"found 1 elements"});
    EXPECT_EQ(read(minimal + "[time]\nend = 9223372036854775807\n[initial]\ntemperature = 1\n",
                   {"material.default.heat_capacity=1"})
                  .time.end,
              9223372036854775808.0);
}

TEST_F(CaseFiles, missing_keys) {
    expect_refusal("[material.default]\nconductivity = 1\n", 0, {"needs the key \"mesh\""});
    expect_refusal("\n[mesh]\n", 2, {"[mesh] needs the key \"file\", or a table [mesh.box]"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\nbox = {cells = 9}\n", 3, {"give one of them"});
    expect_refusal("[mesh]\nfile = \"no.msh\"\n", 2,
                   {"\"no.msh\": there is no file", (folder_ / "shaft/no.msh").string()});
    expect_refusal("[mesh]\nfile = \"../shaft\"\n", 2, {"is a folder"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\n[material.a]\n", 3,
                   {"[material.a] needs the key \"conductivity\""});
    expect_refusal_after("[boundary.a]\nvalue = 1\n", 1, {"[boundary.a] needs the key \"type\""});
    expect_refusal_after("[boundary.a]\ntype = \"flux\"\n", 1, {"[boundary.a] needs the key \"value\""});
    expect_refusal_after("[boundary.a]\ntype = \"convection\"\nh = 1\n", 1, {"needs the key \"T_inf\""});
    expect_refusal_after("[time]\nstep = 1\n", 1, {"[time] needs the key \"end\""});
    expect_refusal_after("[time]\nend = 1\n", 1, {"needs a table [initial]"});
    expect_refusal_after("[time]\nend = 1\n[initial]\ntemperature = 1\n", -1,
                         {"needs the key \"heat_capacity\""});
    expect_refusal_after("[initial]\n", 1, {"[initial] needs the key \"temperature\""});
    expect_refusal_after("[[monitor]]\ntype = \"line\"\n", 1, {"[[monitor]] needs the key \"name\""});
    expect_refusal_after("[[monitor]]\ntype = \"line\"\nname = \"a\"\nfrom = [0, 0]\n", 1,
                         {"needs the key \"to\""});
    expect_refusal_after("[[monitor]]\ntype = \"point\"\nname = \"a\"\n", 1, {"needs the key \"at\""});
    expect_refusal_after("[[picture]]\nwidth = 100\n", 1, {"[[picture]] needs the key \"name\""});
}

TEST_F(CaseFiles, given_twice) {
    expect_refusal_after("[boundary.a]\ntype = \"insulated\"\n[boundary.a]\ntype = \"insulated\"\n", 3,
                         {"\"boundary.a\" is given twice"});
    expect_refusal_after("[boundary]\na = {type = \"insulated\"}\n[boundary.a]\n", 3, {"is given twice"});
    expect_refusal_after("[time]\nend = 1\nend = 2\n", 3, {"\"end\" is given twice"});
    expect_refusal_after("[mesh]\nfile = \"b.msh\"\n", 1, {"\"mesh\" is given twice"});
    const std::string a = "[[picture]]\nname = \"a\"\n";
    expect_refusal_after(a + a, 4, {"[[picture]] name \"a\" is taken by the one at", "case.toml:5"});
}

TEST_F(CaseFiles, ranges) {
    expect_refusal("[mesh]\nfile = \"part.msh\"\nscale = 0\n", 3, {"[mesh] scale must be positive, found 0"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\nordering = \"hibert\"\n", 3,
                   {"must be \"hilbert\", \"reverse-cuthill-mckee\" or \"file\", found \"hibert\"",
                    "mean \"hilbert\"?"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\n[material.a]\nconductivity = 0\n", 4,
                   {"must be positive, found 0"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\n[material.a]\nconductivity = \"1-2\"\n", 4,
                   {"must be positive"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\n[material.a]\nconductivity = \"1+t\"\n", 4, {"not on t"});
    expect_refusal_after("heat_capacity = -1\n", 1, {"heat_capacity must be positive, found -1"});
    expect_refusal_after("heat_capacity = 1\ndensity = 1\n", 2, {"density", "give one of them"});
    expect_refusal_after("density = 1\n", -1, {"[material.default] needs the key \"specific_heat\""});
    expect_refusal_after("[boundary.a]\ntype = \"convection\"\nh = -1\nT_inf = 0\n", 3,
                         {"h must not be negative"});
    for (const char* value : {"0", "-1", "inf"})
        expect_refusal_after(std::string("[time]\nend = ") + value + "\n", 2, {"[time] end must be"});
    expect_refusal_after("[time]\nend = 1\nstep = 0\n", 3, {"step must be positive"});
    expect_refusal_after("[time]\nend = 1\nsteps = 0\n", 3, {"steps must be from 1"});
    for (const char* value : {"0", "1", "-1e-3", "2"}) {
        expect_refusal_after(std::string("[time]\nend = 1\ntolerance = ") + value + "\n", 3,
                             {"between 0 and 1"});
        expect_refusal_after(std::string("[solver.temperature]\ntolerance = ") + value + "\n", 2,
                             {"between 0 and 1"});
    }
    expect_refusal_after("[solver.temperature]\nmax_iterations = 0\n", 2, {"max_iterations must be from 1"});
    expect_refusal_after("[solver.temperature]\npreconditioner = \"ilu\"\n", 2,
                         {"must be \"automatic\", \"multigrid\", \"jacobi\" or \"none\""});
    expect_refusal_after("[output]\ninterval = 0.0\n", 2, {"interval must be positive"});
    expect_refusal_after("[output]\nevery = 0\n", 2, {"every must be from 1"});
    expect_refusal_after("[output]\nevery = 1\ninterval = 1\n", 2, {"give one of them"});
    const std::string line = "[[monitor]]\ntype = \"line\"\nname = \"a\"\nfrom = [0, 0]\n";
    expect_refusal_after(line + "to = [0, 0, 0]\n", 5, {"the line has no length"});
    expect_refusal_after(line + "to = [0, 1]\npoints = 1\n", 6, {"points must be from 2"});
    expect_refusal_after(line + "to = [0, 1]\nat = [0, 0]\n", 6, {"belongs to type \"point\""});
    expect_refusal_after("[[monitor]]\ntype = \"point\"\nname = \"boundaries\"\nat = [0, 0]\n", 3,
                         {"\"boundaries\""});
    for (const char* name : {"", "a/b", "..", ".a", "-o", "a\\\\b", "a\\u0007", "a:b", "a "})
        expect_refusal_after(std::string("[[picture]]\nname = \"") + name + "\"\n", 2,
                             {"names a file of the output"});
    const std::string picture = "[[picture]]\nname = \"a\"\n";
    expect_refusal_after(picture + "width = 15\n", 3, {"width must be from 16 to 16384, found 15"});
    expect_refusal_after(picture + "height = 16385\n", 3, {"height must be from 16 to 16384"});
    expect_refusal_after(picture + "field = \"pressure\"\n", 3, {"field must be \"temperature\""});
    expect_refusal_after(picture + "range = [1, 1]\n", 3, {"low below high"});
    expect_refusal_after(picture + "range = [1]\n", 3, {"a list of 2 numbers"});
    expect_refusal_after(picture + "direction = [0, 0, 0]\n", 3, {"must not be zero"});
}

TEST_F(CaseFiles, boundary_types) {
    expect_refusal_after(
        "[boundary.a]\ntype = \"isolated\"\n", 2,
        {"[boundary.a] type must be \"temperature\", \"flux\", \"convection\", \"insulated\" or \"periodic\"",
         "did you mean \"insulated\"?"});
    expect_refusal_after("[boundary.a]\ntype = \"insulated\"\nvalue = 1\n", 3,
                         {"value belongs to the type \"temperature\" or \"flux\"", "no other key"});
    expect_refusal_after("[boundary.a]\ntype = \"flux\"\nvalue = 1\nh = 2\n", 4,
                         {"h belongs to the type \"convection\"", "takes value"});
    expect_refusal_after("[boundary.a]\ntype = \"convection\"\nvalue = 1\n", 3, {"takes h and T_inf"});
    expect_refusal_after("[boundary.a]\ntype = \"flux\"\nvalue = \"1 + foo\"\n", 3,
                         {"cannot read the formula \"1 + foo\": unknown name \"foo\" at column 5"});
}

TEST_F(CaseFiles, periodic_sides) {
    const std::vector<std::string> groups{"left", "right", "floor", "roof"};
    const auto side = [](const std::string& name, const std::string& partner) {
        return "[boundary." + name + "]\ntype = \"periodic\"\npartner = \"" + partner + "\"\n";
    };
    // Once, from either side, or twice: a pair is one pair, from the side that is named first.
    CaseSettings s = read(minimal + side("right", "left") + side("floor", "roof") + side("roof", "floor"));
    const HeatSettings& heat = settings_of<HeatSettings>(s);
    EXPECT_TRUE(heat.boundaries.empty());
    const auto pairs = periodic_pairs(s, groups);
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(std::pair(pairs[0].from, pairs[0].to), std::pair(std::uint16_t(1), std::uint16_t(0)));
    EXPECT_EQ(std::pair(pairs[1].from, pairs[1].to), std::pair(std::uint16_t(2), std::uint16_t(3)));
    EXPECT_EQ(pairs[0].place, (folder_ / "shaft/case.toml:5").string());
    EXPECT_EQ(refusal_of([&] { check_names(s, {2, {}, groups, {"all"}}); }), "accepted");

    const auto refused = [&](const std::string& text, int line, const std::vector<std::string>& words) {
        s = read(minimal + text);
        const std::string message = refusal_of([&] { periodic_pairs(s, groups); });
        EXPECT_TRUE(message.starts_with((folder_ / "shaft/case.toml").string() + ":" + std::to_string(minimal_lines + line) + ": ")) << message;
        expect_words(message, words);
    };
    refused(side("left", "rihgt"), 1, {"the mesh has no boundary \"rihgt\"", "did you mean \"right\"?"});
    refused(side("lft", "right"), 1, {"[boundary.lft]", "did you mean \"left\"?"});
    refused(side("left", "right") + side("right", "roof"), 4, {"\"right\" is paired twice", "\"left\" with \"right\""});
    refused(side("left", "right") + side("floor", "right"), 4, {"\"right\" is paired twice"});
    refused(side("left", "right") + "[boundary.right]\ntype = \"insulated\"\n", 1, {"partner \"right\" has a condition of its own", ":8"});
    expect_refusal_after(side("left", "left"), 3, {"[boundary.left] partner is the boundary itself"});
    expect_refusal_after("[boundary.left]\ntype = \"periodic\"\n", 1, {"needs the key \"partner\""});
    expect_refusal_after(side("left", "right") + "value = 3\n", 4, {"value does not belong to type \"periodic\""});
    expect_refusal_after(side("left", "right") + "flux = 3\n", 4, {"flux does not belong to type \"periodic\""});  // a flow's
    expect_refusal_after("[boundary.left]\ntype = \"insulated\"\npartner = \"right\"\n", 3, {"partner belongs to type \"periodic\""});
}

TEST_F(CaseFiles, overrides) {
    const CaseSettings s =
        read(full, {"time.end=20", "material.steel.conductivity=1 + y", "picture.0.mesh=false",
                    "boundary.\"outer wall\".h = 30", "boundary.outer wall.T_inf=280", "monitor.0.to.1=2",
                    "output={every=3}", "title=plain words", "boundary.'new.one'.type=insulated",
                    "time.end=30", "mesh.ordering='file'", "name=a=b"});
    const HeatSettings& heat = settings_of<HeatSettings>(s);
    EXPECT_EQ(s.time.end, 30);
    EXPECT_EQ(heat.materials.at("steel").conductivity({0, 2, 0}), 3);
    EXPECT_EQ(heat.materials.at("steel").conductivity.place(), "--set material.steel.conductivity");
    EXPECT_FALSE(s.pictures[0].mesh);
    EXPECT_EQ(heat.boundaries[1].condition->exchange()->coefficient({}), 30);
    EXPECT_EQ(heat.boundaries[1].condition->exchange()->ambient({}), 280);
    EXPECT_EQ(s.monitors[0].to, Vec3(1.5, 2, 0));
    EXPECT_EQ(s.output.every, 3);
    EXPECT_FALSE(s.output.interval);
    EXPECT_EQ(s.title, "plain words");
    ASSERT_EQ(heat.boundaries.size(), 5u);
    EXPECT_EQ(heat.boundaries[4].name, "new.one");
    EXPECT_EQ(heat.boundaries[4].place, "--set boundary.'new.one'.type");
    EXPECT_EQ(s.mesh.ordering, "file");
    EXPECT_EQ(s.name, "a=b");
}

TEST_F(CaseFiles, of_keys_that_exclude_one_another_one_is_given) {
    const std::string step = "step = 0.5\n", tolerance = "tolerance = 1e-4\n";
    const std::string time = "[initial]\ntemperature = 1\n[time]\nend = 1\n", transient = "material.default.heat_capacity=1";
    expect_refusal_after(time + step + tolerance, 5, {"[time] step and \"tolerance\": give one of them"});
    EXPECT_EQ(read(minimal + time + tolerance, {transient, "time.step=0.5"}).time.step, 0.5);
    EXPECT_FALSE(read(minimal + time + step, {transient, "time.tolerance=1e-4"}).time.step);
    EXPECT_EQ(read(full, {"output.every=3"}).output.every, 3);
    EXPECT_FALSE(read(full, {"output.every=3"}).output.interval);
    EXPECT_TRUE(read(minimal, {"mesh.box.cells=9"}).mesh.box);
    EXPECT_TRUE(read(minimal, {"mesh.box.cells=9"}).mesh.file.empty());
    EXPECT_FALSE(read(minimal, {"mesh.box.cells=9", "mesh.file=part.msh"}).mesh.box);
}

TEST_F(CaseFiles, bad_overrides) {
    expect_override_refusal("time.nd=1", "time.nd", {"unknown key \"nd\" in [time]", "\"end\"?"});
    expect_override_refusal("tiem.end=1", "tiem.end", {"unknown key \"tiem\"", "\"time\"?"});
    expect_override_refusal("time.end=soon", "time.end", {"must be a number, found the string \"soon\""});
    expect_override_refusal("time.end=", "time.end", {"found the string \"\""});
    expect_override_refusal("time.end=1\nfoo = 2", "time.end",
                            {"must be a number, found the string \"1?foo = 2\""});
    expect_override_refusal("material.steel.conductivity=1+q", "material.steel.conductivity", {"column 3"});
    expect_override_refusal("time=3", "time", {"must be a table, [time]"});
    expect_override_refusal("time.end.x=3", "time.end.x", {"inside a plain value"});
    expect_override_refusal("picture.1.mesh=true", "picture.1.mesh", {"no element 1: there are 1"});
    expect_override_refusal("picture.x.mesh=true", "picture.x.mesh",
                            {"\"x\" must be the number of an element"});
    expect_override_refusal("boundary.top.value=1", "boundary.top.value",
                            {"[boundary.top] needs the key \"type\""});
    expect_override_refusal("time.end", "", {"no \"=\" in \"time.end\"", "KEY=VALUE"});
    expect_override_refusal("=1", "", {"a part of the key is empty"});
    expect_override_refusal("time..end=1", "", {"a part of the key is empty"});
    expect_override_refusal("boundary.\"front=1", "", {"a quotation mark is not closed"});
    expect_override_refusal("a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1",
                            "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a", {"a key of many parts"});
}

TEST_F(CaseFiles, fitting_the_mesh) {
    const CaseSettings s = read(full);
    const HeatSettings& heat = settings_of<HeatSettings>(s);
    const MeshNames mesh{3, {"front", "outer wall", "rear", "sides"}, {"seam"}, {"steel"}};
    EXPECT_EQ(refusal_of([&] { check_names(s, mesh); }), "accepted");
    EXPECT_EQ(&material_of(heat, "steel"), &heat.materials.at("steel"));
    const auto refusal_with = [&](const std::function<void(MeshNames&)>& change) {
        MeshNames other = mesh;
        change(other);
        return refusal_of([&] { check_names(s, other); });
    };
    const std::string file = (folder_ / "shaft/case.toml").string();
    std::string message = refusal_with([](MeshNames& m) { m.boundaries[0] = "fornt"; });
    EXPECT_TRUE(message.starts_with(file + ":15: [boundary.front]: the mesh has no boundary \"front\""))
        << message;
    expect_words(message, {"did you mean \"fornt\"?",
                           "it has: \"fornt\", \"outer wall\", \"rear\", \"sides\", \"seam\""});
    message = refusal_with([](MeshNames& m) { m.boundaries.push_back("top"); });
    EXPECT_TRUE(message.starts_with(file + ": no condition for the boundary \"top\"")) << message;
    expect_words(message, {"[boundary.top]", "\"sides\""});
    message = refusal_with([](MeshNames& m) { m.regions = {"stel"}; });
    EXPECT_TRUE(message.starts_with(file + ":9: [material.steel]: the mesh has no region \"steel\""))
        << message;
    expect_words(message, {"did you mean \"stel\"?"});
    message = refusal_with([](MeshNames& m) { m.regions.push_back("copper"); });
    expect_words(message, {"no material for the region \"copper\"", "[material.default]"});
    message = refusal_with([](MeshNames& m) { m.dimension = 2; });
    expect_words(message, {file + ":56", "\"tip\"", "plane z = 0"});
    const CaseSettings fallback = read(minimal);
    EXPECT_EQ(refusal_of([&] { check_names(fallback, {2, {}, {"seam"}, {"steel", "air"}}); }), "accepted");
    const HeatSettings& sparse = settings_of<HeatSettings>(fallback);
    EXPECT_EQ(&material_of(sparse, "air"), &sparse.materials.at("default"));
    const CaseSettings none = read("[mesh]\nfile = \"part.msh\"\n");
    expect_words(refusal_of([&] {
                     check_names(none, {2, {}, {}, {"steel", "air"}});
                 }),
                 {"no material for the region \"steel\"", "\"steel\", \"air\""});
}

TEST_F(CaseFiles, starter_case) {
    for (const int dimension : {2, 3}) {
        const std::vector<std::string> boundaries{"front", "outer \"wall\"", "a.b", "rear"};
        const std::vector<std::string> regions{"steel", "two words"};
        const CaseSettings s = read(HeatPhysics().starter("part.msh", dimension, boundaries, regions));
        const HeatSettings& heat = settings_of<HeatSettings>(s);
        EXPECT_EQ(refusal_of([&] { check_names(s, {dimension, boundaries, {}, regions}); }), "accepted");
        EXPECT_EQ((*heat.boundaries[0].condition->temperature())({}), 1);
        EXPECT_FALSE(heat.boundaries[1].condition->lets_heat_pass());
        EXPECT_EQ((*heat.boundaries[3].condition->temperature())({}), 0);
        EXPECT_EQ(s.pictures.size(), 1u);
    }
    EXPECT_EQ(read(HeatPhysics().starter("../shaft/part.msh", 3, {"only"}, {"r"})).mesh.file,
              folder_ / "shaft/part.msh");
}

// The hash signs of "# key = value" lines taken away, the starter case is still a valid one.
TEST_F(CaseFiles, starter_case_uncommented) {
    std::string text = HeatPhysics().starter("part.msh", 3, {"front", "rear"}, {"steel"});
    const auto from = text.find("# [time]");
    for (auto i = from; i != std::string::npos; i = text.find("\n# ", i))
        if (const auto hash = text.find("# ", i);
            text.find_first_of("=[", hash) < text.find_first_of(".,\n", hash))
            text.erase(hash, 2);
        else
            i = hash;
    const CaseSettings s = read(text);
    EXPECT_EQ(s.time.end, 60);
    EXPECT_EQ(s.monitors.size(), 1u);
    EXPECT_TRUE(s.pictures.at(0).range);
}

TEST(Cases, of_the_repository) {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(SOLENOID_SOURCE_DIR "/cases")) {
        if (entry.path().extension() != ".toml") continue;
        if (entry.path().filename() == "validate.toml") continue;  // of tools/validate, not a case
        const CaseSettings s = read_case(entry.path(), all_physics());
        EXPECT_FALSE(s.title.empty()) << entry.path();
        EXPECT_FALSE(s.pictures.empty()) << entry.path();
        ++count;
    }
    EXPECT_GE(count, 4);
}

// One random edit: of a byte, a line, or a word put in.
std::string mutated(std::string text, std::mt19937& random) {
    static const std::vector<std::string> words{"[",
                                                "]",
                                                "[[",
                                                "=",
                                                "\"",
                                                "'''",
                                                "\"\"\"",
                                                "{",
                                                "}",
                                                ",",
                                                ".",
                                                "\n",
                                                "#",
                                                "1e999",
                                                "nan",
                                                "-",
                                                "0x",
                                                "1979-05-27T07:32:00Z",
                                                "true",
                                                "[mesh]\n",
                                                "\\u0000",
                                                "\\",
                                                "a.b.c.d = 1\n",
                                                "(((",
                                                "x=3",
                                                "[[monitor]]\n",
                                                "\xC3"};
    const auto below = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    const std::size_t at = below(text.size()), length = 1 + below(20);
    switch (below(6)) {
        case 0:
            text[at] = static_cast<char>(below(256));
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(at, text.substr(below(text.size()), length));
            break;
        case 3:
            text.insert(at, words[below(words.size())]);
            break;
        case 4: {
            const std::size_t begin = text.rfind('\n', at) + 1,
                              end = std::min(text.find('\n', at), text.size() - 1) + 1;
            if (begin >= end) break;
            const std::string line = text.substr(begin, end - begin);
            if (below(2)) text.erase(begin, end - begin);
            if (below(2)) text.insert(text.find('\n', below(text.size() - 1)) + 1, line);
            break;
        }
        default:
            std::swap(text[at], text[below(text.size())]);
    }
    return text.empty() ? "x" : text;
}

TEST_F(CaseFiles, mutations_end_in_a_case_or_an_error) {
    std::mt19937 random(20240229);
    int accepted = 0, refused = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = full;
        for (int edits = 1 + i % 4; edits > 0; --edits) text = mutated(text, random);
        const std::string message = refusal(text);
        ++(message == "accepted" ? accepted : refused);
    }
    EXPECT_GT(accepted, 50);
    EXPECT_GT(refused, 1000);
}

TEST_F(CaseFiles, mutated_overrides_end_in_a_case_or_an_error) {
    std::mt19937 random(4711);
    const std::vector<std::string> valid{"time.end=20", "boundary.\"outer wall\".h=[1, {a = 2}]",
                                         "picture.0.range=[1, 2]", "monitor.1.at.2=3",
                                         "material.steel.conductivity=1 + y*sin(x)"};
    for (int i = 0; i < 1000; ++i) {
        std::string text = valid[i % valid.size()];
        for (int edits = 1 + i % 3; edits > 0; --edits) text = mutated(text, random);
        refusal(full, {text});
    }
}

}  // namespace
}  // namespace solenoid
