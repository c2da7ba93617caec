// Case files: what is refused at which place with which words.
#include "app/case/case_files.hpp"

namespace solenoid::case_errors_test {
namespace {

using CaseFiles = test::CaseFiles;

TEST_F(CaseFiles, unreadable_files) {
    const std::string missing = (folder_ / "none.toml").string();
    EXPECT_EQ(refusal_of([&] { read_case(missing, all_physics()); }), missing + ": no such file");
    expect_words(refusal_of([&] { read_case(folder_, all_physics()); }),
                 {folder_.string() + ": a folder"});
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
    expect_refusal_after("[boundary.a]\ntype = \"flux\"\nvaleu = 1\n", 3,
                         {"in [boundary.a]", "\"value\"?"});
    expect_refusal_after("[solver.humidity]\ntolerance = 1\n", 1,
                         {"\"humidity\" in [solver]", "known: temperature"});
    expect_refusal_after("[solver.temperature]\ntol = 1\n", 2,
                         {"\"tol\" in [solver.temperature]", "tolerance"});
    expect_refusal_after("[output]\ninterval = 1\nevry = 1\n", 3,
                         {"\"evry\" in [output]", "\"every\"?"});
    expect_refusal_after("[[monitor]]\nname = \"a\"\nkind = \"line\"\n", 3,
                         {"\"kind\" in [[monitor]]"});
    expect_refusal_after("[[picture]]\nname = \"a\"\nwith = 3\n", 3,
                         {"\"with\" in [[picture]]", "\"width\"?"});
    expect_refusal("zebra = 1\napple = 2\n" + minimal, 1, {"\"zebra\""});
}

// A key at the top that is a table's name, or that stands in a table: the message says where it
// stands.
TEST_F(CaseFiles, overrides_that_miss_their_table) {
    const std::string flow =
        "physics = \"flow\"\n[mesh.box]\ncells = 500\n[fluid]\nviscosity = 0.1\n[time]\nend = 1\n";
    const auto message = [&](const std::string& text) { return refusal(flow, {text}); };
    EXPECT_EQ(message("viscosity=0.1"),
              "--set viscosity: [viscosity] is a table; did you mean fluid.viscosity?");
    EXPECT_EQ(message("viscosity = 0.1 + x"),
              "--set viscosity: [viscosity] is a table; did you mean fluid.viscosity?");
    EXPECT_EQ(
        message("density=2"),
        "--set density: the top of a case has no key \"density\"; did you mean fluid.density?");
    EXPECT_EQ(
        message("gravity=[0, -9.81]"),
        "--set gravity: the top of a case has no key \"gravity\"; did you mean fluid.gravity?");
    EXPECT_EQ(message("end=2"),
              "--set end: the top of a case has no key \"end\"; did you mean time.end?");
    EXPECT_EQ(message("box=2"),
              "--set box: the top of a case has no key \"box\"; did you mean mesh.box?");
    expect_words(message("tolerance=1e-8"),
                 {"did you mean", "solver.stream_function.tolerance or solver.pressure.tolerance"});
    EXPECT_EQ(message("diffusivity=1"),
              "--set diffusivity: the top of a case has no key \"diffusivity\"; did you mean "
              "scalar.NAME.diffusivity?");
    EXPECT_EQ(
        message("omega=1"),
        "--set omega: the top of a case has no key \"omega\"; did you mean boundary.NAME.omega?");
    EXPECT_EQ(message("velocity=[1, 0]"),
              "--set velocity: the top of a case has no key \"velocity\"; did you mean "
              "initial.velocity or boundary.NAME.velocity?");
    EXPECT_EQ(message("time=2"), "--set time: [time] is a table; its keys are set as time.end");
    EXPECT_EQ(message("fluid=2"),
              "--set fluid: [fluid] is a table; its keys are set as fluid.viscosity");
    EXPECT_EQ(
        message("solver=2"),
        "--set solver: [solver] is a table; its keys are set as solver.stream_function.tolerance");
    EXPECT_EQ(message("solver.pressure=2"),
              "--set solver.pressure: [solver.pressure] is a table; its keys are set as "
              "solver.pressure.tolerance");
    EXPECT_EQ(
        message("boundary.xmin=wall"),
        "--set boundary.xmin: [boundary.xmin] is a table; its keys are set as boundary.xmin.type");
    EXPECT_EQ(message("monitor=wall"),
              "--set monitor: [monitor] is a list of tables; its keys are set as monitor.N.type");
    // Words of another physics, and of none.
    expect_override_refusal("viscosity=0.1", "viscosity", {"belongs to a flow case"});
    expect_override_refusal("conductivty=0.1", "conductivty", {"unknown key \"conductivty\""});
    EXPECT_EQ(read(full, {"name = b", "monitor=[]", "\"title\"=c"}).name, "b");
}

TEST_F(CaseFiles, lengths_of_time_that_a_time_does_not_feel) {
    const std::string wave =
        "physics = \"wave\"\n[mesh.box]\ncells = 9\n[wave]\nspeed = 1\n[time]\nend = 1\n";
    expect_refusal(wave + "step = 1e-20\n", 8,
                   {"[time] step must be at least 1e-13 of time.end, which is 1 s: 1e-20 s is lost",
                    "take 1e-13 s or more"});
    EXPECT_EQ(read(wave + "step = 1.001e-13\n").time.step, 1.001e-13);
    const std::string point = "[[monitor]]\ntype = \"point\"\nname = \"p\"\nat = [0, 0]\n";
    for (const std::string& table :
         {std::string("[output]\n"), std::string("[checkpoint]\n"), point,
          std::string("[[picture]]\nname = \"p\"\n"), std::string("[[film]]\nname = \"p\"\n")}) {
        const int line = 7 + static_cast<int>(std::ranges::count(table, '\n')) + 1;
        expect_refusal(wave + table + "interval = 1e-300\n", line,
                       {"interval must be at least 1e-13 of time.end"});
        EXPECT_NO_THROW(read(wave + table + "interval = 1.001e-13\n"));
        const std::string message = refusal(wave + table + "interval = 1e-8\n", {"time.end=1e9"});
        EXPECT_TRUE(message.starts_with("--set time.end: [time] end is too late for [")) << message;
        expect_words(message, {"interval = 1e-08 s (", ':' + std::to_string(line) + ')',
                               "take 9.99e+04 s or less"});
        EXPECT_NO_THROW(read(wave + table + "interval = 1e-8\n", {"time.end=9.99e4"}));
    }
    expect_refusal(wave + point +
                       "[[trigger]]\nmonitor = \"p\"\ncolumn = \"displacement\"\nsteady = 0.1\n"
                       "action = \"stop\"\nwindow = 1e-300\n",
                   17, {"window must be at least 1e-13 of time.end"});
    expect_refusal(
        "physics = \"wave\"\n[mesh.box]\ncells = 9\n[wave]\nspeed = 1\n[time]\n"
        "end = 1e308\n",
        7, {"[time] end must be 1e+30 at most"});
}

// Of two values that do not go together the one that was given last is at fault.
TEST_F(CaseFiles, values_that_do_not_go_together) {
    const std::string heat = minimal + "heat_capacity = 1\n[initial]\ntemperature = 1\n";
    const std::string time = heat + "[time]\nend = 10\nfirst_step = 1\nlargest_step = 2\n";
    const struct {
        std::string text, set, said;
    } cases[] = {
        {time, "time.largest_step=0.5",
         "--set time.largest_step: [time] first_step = 1 s is longer than largest_step = 0.5 s"},
        {time, "time.first_step=3",
         "--set time.first_step: [time] first_step = 3 s is longer than largest_step = 2 s"},
        {time + "[average]\nfrom = 5\n", "time.end=4",
         "--set time.end: [average] from = 5 s (" + (folder_ / "shaft/case.toml").string() +
             ":13) is not before [time] end = 4 s (--set time.end)"},
        {time + "[output]\nevery = 1\nto = 4\n", "output.from=5",
         "--set output.from: [output] to is not after from: 4 s, and 5 s"},
    };
    for (const auto& one : cases) {
        EXPECT_NO_THROW(read(one.text));
        const std::string message = refusal(one.text, {one.set});
        EXPECT_TRUE(message.starts_with(one.said)) << message;
    }
}

TEST_F(CaseFiles, wrong_types) {
    expect_refusal("physics = 3\n" + minimal, 1,
                   {"physics must be \"heat\"", "found the integer 3"});
    expect_refusal("physics = \"flw\"\n" + minimal, 1, {"found \"flw\"; did you mean \"flow\"?"});
    expect_refusal("mesh = \"part.msh\"\n", 1,
                   {"mesh must be a table, [mesh], found the string \"part.msh\""});
    expect_refusal("[mesh]\nfile = 7\n", 2,
                   {"[mesh] file must be a string in quotes, found the integer 7"});
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
    expect_refusal_after("[[monitor]]\nname = \"a\"\ntype = \"point\"\nat = [1]\n", 4,
                         {"found 1 elements"});
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
    expect_refusal_after("[boundary.a]\ntype = \"flux\"\n", 1,
                         {"[boundary.a] needs the key \"value\""});
    expect_refusal_after("[boundary.a]\ntype = \"convection\"\nh = 1\n", 1,
                         {"needs the key \"T_inf\""});
    expect_refusal_after("[time]\nstep = 1\n", 1, {"[time] needs the key \"end\""});
    expect_refusal_after("[time]\nend = 1\n", 1, {"needs a table [initial]"});
    expect_refusal_after("[time]\nend = 1\n[initial]\ntemperature = 1\n", -1,
                         {"needs the key \"heat_capacity\""});
    expect_refusal_after("[initial]\n", 1, {"[initial] needs the key \"temperature\""});
    expect_refusal_after("[[monitor]]\ntype = \"line\"\n", 1,
                         {"[[monitor]] needs the key \"name\""});
    expect_refusal_after("[[monitor]]\ntype = \"line\"\nname = \"a\"\nfrom = [0, 0]\n", 1,
                         {"needs the key \"to\""});
    expect_refusal_after("[[monitor]]\ntype = \"point\"\nname = \"a\"\n", 1,
                         {"needs the key \"at\""});
    expect_refusal_after("[[picture]]\nwidth = 100\n", 1, {"[[picture]] needs the key \"name\""});
}

TEST_F(CaseFiles, given_twice) {
    expect_refusal_after("[boundary.a]\ntype = \"insulated\"\n[boundary.a]\ntype = \"insulated\"\n",
                         3, {"\"boundary.a\" is given twice"});
    expect_refusal_after("[boundary]\na = {type = \"insulated\"}\n[boundary.a]\n", 3,
                         {"is given twice"});
    expect_refusal_after("[time]\nend = 1\nend = 2\n", 3, {"\"end\" is given twice"});
    expect_refusal_after("[mesh]\nfile = \"b.msh\"\n", 1, {"\"mesh\" is given twice"});
    const std::string a = "[[picture]]\nname = \"a\"\n";
    expect_refusal_after(a + a, 4,
                         {"[[picture]] name \"a\" is taken by the one at", "case.toml:5"});
}

TEST_F(CaseFiles, ranges) {
    expect_refusal("[mesh]\nfile = \"part.msh\"\nscale = 0\n", 3,
                   {"[mesh] scale must be positive, found 0"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\nordering = \"hibert\"\n", 3,
                   {"must be \"hilbert\", \"reverse-cuthill-mckee\" or \"file\", found \"hibert\"",
                    "mean \"hilbert\"?"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\n[material.a]\nconductivity = 0\n", 4,
                   {"must be positive, found 0"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\n[material.a]\nconductivity = \"1-2\"\n", 4,
                   {"must be positive"});
    expect_refusal("[mesh]\nfile = \"part.msh\"\n[material.a]\nconductivity = \"1+t\"\n", 4,
                   {"not on t"});
    expect_refusal_after("heat_capacity = -1\n", 1, {"heat_capacity must be positive, found -1"});
    expect_refusal_after("heat_capacity = 1\ndensity = 1\n", 2, {"density", "give one of them"});
    expect_refusal_after("density = 1\n", -1,
                         {"[material.default] needs the key \"specific_heat\""});
    expect_refusal_after("[boundary.a]\ntype = \"convection\"\nh = -1\nT_inf = 0\n", 3,
                         {"h must not be negative"});
    for (const char* value : {"0", "-1", "inf"})
        expect_refusal_after(std::string("[time]\nend = ") + value + "\n", 2,
                             {"[time] end must be"});
    expect_refusal_after("[time]\nend = 1\nstep = 0\n", 3, {"step must be positive"});
    expect_refusal_after("[time]\nend = 1\nsteps = 0\n", 3, {"steps must be from 1"});
    for (const char* value : {"0", "1", "-1e-3", "2"}) {
        expect_refusal_after(std::string("[time]\nend = 1\ntolerance = ") + value + "\n", 3,
                             {"between 0 and 1"});
        expect_refusal_after(std::string("[solver.temperature]\ntolerance = ") + value + "\n", 2,
                             {"between 0 and 1"});
    }
    expect_refusal_after("[solver.temperature]\nmax_iterations = 0\n", 2,
                         {"max_iterations must be from 1"});
    expect_refusal_after("[solver.temperature]\npreconditioner = \"ilu\"\n", 2,
                         {"must be \"automatic\", \"multigrid\", \"jacobi\" or \"none\""});
    expect_refusal_after("[output]\ninterval = 0.0\n", 2, {"interval must be positive"});
    expect_refusal_after("[output]\nevery = 0\n", 2, {"every must be from 1"});
    expect_refusal_after("[output]\nevery = 1\ninterval = 1\n", 2, {"give one of them"});
    expect_refusal_after("[checkpoint]\nevery = 1\n", 1, {"belongs to a case with [time]"});
    expect_refusal_after("[checkpoint]\nkep = 1\n", 2, {"did you mean \"keep\"?"});
    const std::string line = "[[monitor]]\ntype = \"line\"\nname = \"a\"\nfrom = [0, 0]\n";
    expect_refusal_after(line + "to = [0, 0, 0]\n", 5, {"the line has no length"});
    expect_refusal_after(line + "to = [0, 1]\npoints = 1\n", 6, {"points must be from 2"});
    expect_refusal_after(line + "to = [0, 1]\nat = [0, 0]\n", 6, {"belongs to type \"point\""});
    expect_refusal_after("[[monitor]]\ntype = \"point\"\nname = \"boundaries\"\nat = [0, 0]\n", 3,
                         {"\"boundaries\""});
    for (const char* name : {"", "a/b", "..", ".a", "-o", "a\\\\b", "a\\u0007", "a:b", "a "})
        expect_refusal_after(std::string("[[picture]]\nname = \"") + name + "\"\n", 2,
                             {"names a file of the output"});
    const std::string film = "[[film]]\nname = \"a\"\n";
    expect_refusal_after(film, 1, {"this case is steady", "[[picture]]"});
    for (const std::string key : {"every = 2", "interval = 1", "wall_interval = 1", "from = 1",
                                  "to = 1", "trigger = \"a\""}) {
        expect_refusal_after("[output]\n" + key + "\n", 2, {"this case is steady: leave it out"});
        expect_refusal_after("[[picture]]\nname = \"a\"\n" + key + "\n", 3,
                             {"this case is steady: leave it out"});
        expect_refusal_after(
            "[[monitor]]\ntype = \"point\"\nname = \"a\"\nat = [0, 0]\n" + key + "\n", 5,
            {"this case is steady: leave it out"});
    }
    expect_refusal_after(film + "frames = 3\n", 3, {"\"frames\" in [[film]]"});
    const std::string picture = "[[picture]]\nname = \"a\"\n";
    expect_refusal_after(picture + "width = 15\n", 3, {"width must be from 16 to 16384, found 15"});
    expect_refusal_after(picture + "height = 16385\n", 3, {"height must be from 16 to 16384"});
    expect_refusal_after(picture + "field = \"pressure\"\n", 3, {"field must be \"temperature\""});
    expect_refusal_after(picture + "range = [1, 1]\n", 3, {"low below high"});
    expect_refusal_after(picture + "range = [1]\n", 3, {"a list of 2 numbers"});
    expect_refusal_after(picture + "direction = [0, 0, 0]\n", 3, {"must not be zero"});
    expect_refusal_after(picture + "height_of = \"temperatur\"\n", 3,
                         {"[[picture]] height_of must be \"temperature\", found"});
    expect_refusal_after(picture + "height_of = 3\n", 3, {"height_of must be a string"});
    expect_refusal_after(picture + "height_scale = 3\n", 3,
                         {"[[picture]] height_scale needs height_of", "leave height_scale out"});
    for (const char* value : {"0", "-2", "inf", "\"1\""})
        expect_refusal_after(
            picture + "height_of = \"temperature\"\nheight_scale = " + value + "\n", 4,
            {"[[picture]] height_scale must be"});
}

TEST_F(CaseFiles, boundary_types) {
    expect_refusal_after("[boundary.a]\ntype = \"isolated\"\n", 2,
                         {"[boundary.a] type must be \"temperature\", \"flux\", \"convection\", "
                          "\"insulated\", \"contact\" or \"periodic\"",
                          "did you mean \"insulated\"?"});
    expect_refusal_after("[boundary.a]\ntype = \"insulated\"\nvalue = 1\n", 3,
                         {"value belongs to the type \"temperature\" or \"flux\"", "no other key"});
    expect_refusal_after("[boundary.a]\ntype = \"flux\"\nvalue = 1\nh = 2\n", 4,
                         {"h belongs to the type \"convection\"", "takes value"});
    expect_refusal_after("[boundary.a]\ntype = \"convection\"\nvalue = 1\n", 3,
                         {"takes h and T_inf"});
    expect_refusal_after("[boundary.a]\ntype = \"flux\"\nvalue = \"1 + foo\"\n", 3,
                         {"cannot read the formula \"1 + foo\": unknown name \"foo\" at column 5"});
}

TEST_F(CaseFiles, periodic_sides) {
    const std::vector<std::string> groups{"left", "right", "floor", "roof"};
    const auto side = [](const std::string& name, const std::string& partner) {
        return "[boundary." + name + "]\ntype = \"periodic\"\npartner = \"" + partner + "\"\n";
    };
    // Once, from either side, or twice: a pair is one pair, from the side that is named first.
    CaseSettings s =
        read(minimal + side("right", "left") + side("floor", "roof") + side("roof", "floor"));
    const HeatSettings& heat = settings_of<HeatSettings>(s);
    EXPECT_TRUE(heat.boundaries.empty());
    const auto pairs = periodic_pairs(s, groups);
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(std::pair(pairs[0].from, pairs[0].to), std::pair(std::uint16_t(1), std::uint16_t(0)));
    EXPECT_EQ(std::pair(pairs[1].from, pairs[1].to), std::pair(std::uint16_t(2), std::uint16_t(3)));
    EXPECT_EQ(pairs[0].place, (folder_ / "shaft/case.toml:5").string());
    EXPECT_EQ(refusal_of([&] { check_names(s, {2, {}, groups, {"all"}}); }), "accepted");

    const auto refused = [&](const std::string& text, int line,
                             const std::vector<std::string>& words) {
        s = read(minimal + text);
        const std::string message = refusal_of([&] { periodic_pairs(s, groups); });
        EXPECT_TRUE(message.starts_with((folder_ / "shaft/case.toml").string() + ":" +
                                        std::to_string(minimal_lines + line) + ": "))
            << message;
        expect_words(message, words);
    };
    refused(side("left", "rihgt"), 1,
            {"the mesh has no boundary \"rihgt\"", "did you mean \"right\"?"});
    refused(side("lft", "right"), 1, {"[boundary.lft]", "did you mean \"left\"?"});
    refused(side("left", "right") + side("right", "roof"), 4,
            {"\"right\" is paired twice", "\"left\" with \"right\""});
    refused(side("left", "right") + side("floor", "right"), 4, {"\"right\" is paired twice"});
    refused(side("left", "right") + "[boundary.right]\ntype = \"insulated\"\n", 1,
            {"partner \"right\" has a condition of its own", ":8"});
    expect_refusal_after(side("left", "left"), 3,
                         {"[boundary.left] partner is the boundary itself"});
    expect_refusal_after("[boundary.left]\ntype = \"periodic\"\n", 1,
                         {"needs the key \"partner\""});
    expect_refusal_after(side("left", "right") + "value = 3\n", 4,
                         {"value does not belong to type \"periodic\""});
    // a flow's
    expect_refusal_after(side("left", "right") + "flux = 3\n", 4,
                         {"flux does not belong to type \"periodic\""});
    expect_refusal_after("[boundary.left]\ntype = \"insulated\"\npartner = \"right\"\n", 3,
                         {"partner belongs to type \"periodic\""});
}

TEST_F(CaseFiles, bad_overrides) {
    expect_override_refusal("time.nd=1", "time.nd", {"unknown key \"nd\" in [time]", "\"end\"?"});
    expect_override_refusal("tiem.end=1", "tiem.end", {"unknown key \"tiem\"", "\"time\"?"});
    expect_override_refusal("time.end=soon", "time.end",
                            {"must be a number, found the string \"soon\""});
    expect_override_refusal("time.end=", "time.end", {"found the string \"\""});
    expect_override_refusal("time.end=1\nfoo = 2", "time.end",
                            {"must be a number, found the string \"1?foo = 2\""});
    expect_override_refusal("material.steel.conductivity=1+q", "material.steel.conductivity",
                            {"column 3"});
    expect_override_refusal("time=3", "time", {"[time] is a table; its keys are set as time.end"});
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
    EXPECT_TRUE(
        message.starts_with(file + ":15: [boundary.front]: the mesh has no boundary \"front\""))
        << message;
    expect_words(message, {"did you mean \"fornt\"?",
                           "it has: \"fornt\", \"outer wall\", \"rear\", \"sides\", \"seam\""});
    message = refusal_with([](MeshNames& m) { m.boundaries.push_back("top"); });
    EXPECT_TRUE(message.starts_with(file + ": no condition for the boundary \"top\"")) << message;
    expect_words(message, {"[boundary.top]", "\"sides\""});
    message = refusal_with([](MeshNames& m) { m.regions = {"stel"}; });
    EXPECT_TRUE(
        message.starts_with(file + ":9: [material.steel]: the mesh has no region \"steel\""))
        << message;
    expect_words(message, {"did you mean \"stel\"?"});
    message = refusal_with([](MeshNames& m) { m.regions.push_back("copper"); });
    expect_words(message, {"no material for the region \"copper\"", "[material.default]"});
    message = refusal_with([](MeshNames& m) { m.dimension = 2; });
    expect_words(message, {file + ":56", "\"tip\"", "plane z = 0"});
    const CaseSettings fallback = read(minimal);
    EXPECT_EQ(refusal_of([&] {
                  check_names(fallback, {2, {}, {"seam"}, {"steel", "air"}});
              }),
              "accepted");
    const HeatSettings& sparse = settings_of<HeatSettings>(fallback);
    EXPECT_EQ(&material_of(sparse, "air"), &sparse.materials.at("default"));
    message = refusal_with([](MeshNames& m) {
        for (int i = 0; i < 20000; ++i) m.boundaries.push_back("b" + std::to_string(i));
    });
    expect_words(message, {"no condition for the boundary \"b0\"", "\"b29\", ... (20000 in all)"});
    EXPECT_LT(message.size(), 1000u);
    const CaseSettings none = read("[mesh]\nfile = \"part.msh\"\n");
    expect_words(refusal_of([&] {
                     check_names(none, {2, {}, {}, {"steel", "air"}});
                 }),
                 {"no material for the region \"steel\"", "\"steel\", \"air\""});
}

// Files and fields that would have one name.
TEST_F(CaseFiles, names_that_output_makes) {
    const std::string in_time =
        minimal + "heat_capacity = 1\n[initial]\ntemperature = 0\n[time]\nend = 2\n";
    constexpr int before = minimal_lines + 5;
    const auto point = [](const std::string& name) {
        return "[[monitor]]\ntype = \"point\"\nat = [0, 0]\nname = \"" + name + "\"\n";
    };
    const std::string points = point("probe") + point("probe_average");
    EXPECT_EQ(read(in_time + points).monitors.size(), 2u);
    expect_refusal(in_time + points + "[average]\n", before + 5,
                   {"\"probe_average\" is the file of the averages", "by [average]"});
    const auto picture = [](const std::string& name) {
        return "[[picture]]\nname = \"" + name + "\"\n";
    };
    for (const auto& [a, b] : {std::pair("a", "a_0003"), std::pair("a_00012", "a")})
        expect_refusal(in_time + picture(a) + picture(b), before + 4, {a, b, "are numbered"});
    EXPECT_EQ(read(in_time + picture("a") + picture("a_003") + picture("a_x0003")).pictures.size(),
              3u);
    EXPECT_EQ(read(minimal + picture("a") + picture("a_0003")).pictures.size(), 2u);
    const std::string flow =
        "physics = \"flow\"\nmesh = {file = \"part.msh\"}\nfluid = {viscosity = 0.01}\n[time]\nend "
        "= 2\n[scalar.T]\ndiffusivity = 1\n[scalar.T_mean]\ndiffusivity = 1\n[average]\nfields = ";
    expect_refusal(flow + "[\"T\"]\n", 11, {"a field \"T_mean\"", "another name"});
    EXPECT_EQ(read(flow + "[\"T_mean\"]\n").average->fields.size(), 1u);
}

}  // namespace
}  // namespace solenoid::case_errors_test
