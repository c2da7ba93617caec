// Lists of a case that are others when a run goes on from a checkpoint: permuted, shortened,
// lengthened, renamed (docs/checkpoints.md, "Lists").
#include <gtest/gtest.h>

#include "program.hpp"

namespace solenoid::test::end_to_end_lists_test {
namespace {

using Texts = std::vector<std::string>;

// A run that is stopped after four steps, and goes on to eight as another case.
class Stopped {
  public:
    explicit Stopped(const std::string& text) : text_(text) {
        EXPECT_EQ(run(text, "whole", 8).code, 0);
        const Outcome outcome = run(text, "stopped", 4);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
    }
    Outcome goes_on_as(const std::string& text) {
        fs::remove_all(folder_ / "out/case");
        fs::copy(folder_ / "out/stopped", folder_ / "out/case", fs::copy_options::recursive);
        return run(text, "case", 8, {"--continue"});
    }
    void expect_as_undisturbed(const std::string& text) {
        const Outcome outcome = goes_on_as(text);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        const Outcome diff = run_program({"diff", folder_ / "out/whole", folder_ / "out/case"}, {});
        EXPECT_EQ(diff.code, 0) << diff.out << diff.err;
    }
    // Refused with the words; what the message asks for lets it go on.
    void expect_refused(const std::string& text, const Texts& said) {
        const Outcome outcome = goes_on_as(text);
        EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
        for (const std::string& words : said)
            EXPECT_NE(outcome.err.find(words), std::string::npos) << words << '\n' << outcome.err;
        EXPECT_NE(outcome.err.find("take back the change of the case"), std::string::npos)
            << outcome.err;
        EXPECT_EQ(run(text_, "case", 8, {"--continue"}).code, 0);
    }
    // Goes on, with a warning.
    Outcome expect_warned(const std::string& text, const std::string& said) {
        const Outcome outcome = goes_on_as(text);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_NE(outcome.err.find(said), std::string::npos) << said << '\n' << outcome.err;
        return outcome;
    }
    // The table of the run that went on, of the whole one.
    std::string table(const std::string& name) const {
        return contents(folder_ / "out/case/monitors" / (name + ".csv"));
    }
    std::string whole_table(const std::string& name) const {
        return contents(folder_ / "out/whole/monitors" / (name + ".csv"));
    }

  private:
    Outcome run(const std::string& text, const std::string& out, int steps,
                const Texts& more = {}) const {
        const fs::path file = folder_.write("case.toml", text);
        Texts arguments{"run",      file,
                        "-o",       folder_ / ("out/" + out),
                        "--set",    "time.steps=" + std::to_string(steps),
                        "--set",    "checkpoint.keep=1",
                        "--device", "cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments, {});
    }

    const Folder folder_;
    const std::string text_;
};

// ---- ships, monitors

const std::string sea = R"toml(name = "sea"
physics = "boussinesq"
[grid]
nodes = [24, 16]
high = [230.0, 150.0]
[boussinesq]
depth = 10
[boundary.default]
type = "wall"
[time]
end = 100.0
[output]
every = 3
)toml";

std::string ship(const std::string& name, double x, double y, double speed) {
    return "[[ship]]\nname = \"" + name + "\"\nlength = 60\nbeam = 40\ndraught = 1\nat = [" +
           std::to_string(x) + ", " + std::to_string(y) + "]\nspeed = " + std::to_string(speed) +
           "\nmoves = [\"heave\"]\n";
}

std::string point(const std::string& name, double x) {
    return "[[monitor]]\ntype = \"point\"\nname = \"" + name + "\"\nat = [" + std::to_string(x) +
           ", 70]\nevery = 1\n";
}

TEST(Lists, ShipsGoOnByTheirNames) {
    const std::string a = ship("a", 60, 60, 3), b = ship("b", 160, 90, 1),
                      c = ship("c", 160, 90, 1);
    Stopped run(sea + a + b);
    run.expect_as_undisturbed(sea + b + a);
    run.expect_refused(sea + a, {"has the state of [[ship]] \"b\", which the case no longer has"});
    run.expect_refused(sea + a + b + c, {"has no state of [[ship]] \"c\""});
    run.expect_refused(sea + a + c, {"has no state of [[ship]] \"c\", and has the state of "
                                     "[[ship]] \"b\", which the case no longer has"});
}

TEST(Lists, MonitorsGoOnByTheirNames) {
    const std::string a = point("a", 60), b = point("b", 150), c = point("c", 190),
                      moving = sea + ship("ship", 60, 60, 3);
    Stopped run(moving + a + b);
    run.expect_as_undisturbed(moving + b + a);
    run.expect_warned(moving + b, "ends at the checkpoint: [[monitor]] \"a\"");
    EXPECT_EQ(run.table("b"), run.whole_table("b"));
    EXPECT_EQ(run.goes_on_as(moving + c + a + b).code, 0);
    EXPECT_EQ(run.table("a"), run.whole_table("a"));
    EXPECT_EQ(run.table("b"), run.whole_table("b"));
    const int rows = 1 + 5;  // of its table: a header, the state that it goes on from, four steps
    EXPECT_EQ(std::ranges::count(run.table("c"), '\n'), rows);
    run.expect_warned(moving + a + c, "ends at the checkpoint: [[monitor]] \"b\"");
    EXPECT_EQ(run.table("a"), run.whole_table("a"));
    EXPECT_EQ(std::ranges::count(run.table("c"), '\n'), rows);
}

// ---- triggers

const std::string membrane = R"toml(name = "membrane"
physics = "wave"
[mesh.box]
cells = 60
dimension = 2
[wave]
speed = 1
[boundary.default]
type = "free"
[initial]
displacement = "x"
[time]
end = 1.0
)toml";

std::string trigger(const std::string& name, const std::string& column,
                    const std::string& above = "1e-9") {
    return "[[trigger]]\n" + (name.empty() ? "" : "name = \"" + name + "\"\n") +
           "monitor = \"wave\"\ncolumn = \"" + column + "\"\nabove = " + above +
           "\naction = \"write\"\n";
}

// How often a run says that a trigger acts on a column.
int acts(const Outcome& outcome, const std::string& column) {
    int count = 0;
    for (std::size_t at = 0;
         (at = outcome.out.find(": " + column + " of wave is", at)) != std::string::npos; ++at)
        ++count;
    return count;
}

TEST(Lists, TriggersGoOnByTheirNamesOrByWhatTheyWatch) {
    const std::string a = trigger("a", "energy"), b = trigger("", "kinetic_energy"),
                      other = trigger("", "potential_energy");
    Stopped run(membrane + a + b);  // both have acted
    Outcome outcome = run.goes_on_as(membrane + b + a);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(acts(outcome, "energy") + acts(outcome, "kinetic_energy"), 0) << outcome.out;
    // replaced by another one
    outcome = run.expect_warned(
        membrane + other + a,
        "ends at the checkpoint: [[trigger]] \"kinetic_energy of wave above 1e-09: write\"");
    EXPECT_EQ(acts(outcome, "potential_energy"), 1) << outcome.out;
    EXPECT_EQ(acts(outcome, "energy"), 0) << outcome.out;
    // one more
    outcome = run.goes_on_as(membrane + other + a + b);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(acts(outcome, "potential_energy"), 1) << outcome.out;
    EXPECT_EQ(acts(outcome, "energy") + acts(outcome, "kinetic_energy"), 0) << outcome.out;
    // one less
    outcome = run.expect_warned(membrane + b, "ends at the checkpoint: [[trigger]] \"a\"");
    EXPECT_EQ(acts(outcome, "kinetic_energy"), 0) << outcome.out;
    // renamed: another one
    outcome = run.expect_warned(membrane + trigger("c", "energy") + b,
                                "ends at the checkpoint: [[trigger]] \"a\"");
    EXPECT_EQ(acts(outcome, "energy"), 1) << outcome.out;
    // of the same name, with another bound
    outcome = run.goes_on_as(membrane + trigger("a", "energy", "1e-8") + b);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(acts(outcome, "energy"), 1) << outcome.out;
    EXPECT_NE(outcome.out.find("begins   [[trigger]] \"a\" anew: it watched energy of wave above "
                               "1e-09, and watches energy of wave above 1e-08 now"),
              std::string::npos)
        << outcome.out;
}

// ---- scalars, boundaries

const std::string flow = R"toml(name = "flow"
physics = "flow"
[mesh.box]
cells = 60
dimension = 2
[fluid]
density = 1
viscosity = 0.05
[time]
step = 0.01
end = 1.0
)toml";

std::string scalar(const std::string& name, const std::string& initial) {
    return "[scalar." + name + "]\ndiffusivity = 0.01\ninitial = \"" + initial + "\"\n";
}

TEST(Lists, ScalarsGoOnByTheirNames) {
    const std::string lid =
                          "[boundary]\nymax = {type = \"wall\", velocity = [1, 0]}\n"
                          "default = {type = \"wall\"}\n",
                      a = scalar("a", "x"), b = scalar("b", "y");
    Stopped run(flow + lid + a + b);
    run.expect_as_undisturbed(flow + lid + b + a);
    run.expect_refused(flow + lid + a,
                       {"has the state of scalar \"b\", which the case no longer has"});
    run.expect_refused(flow + lid + a + scalar("c", "y"),
                       {"has no state of scalar \"c\", and has the state of scalar \"b\""});
}

// Lists of a pressure boundary are as long as those of the one that takes its place.
TEST(Lists, PressuresGoOnAtTheirBoundaries) {
    const std::string classical = flow + "[flow]\nmethod = \"classical\"\n[boundary]\n",
                      west = "xmin = {type = \"pressure\", pressure = 0.1}\n",
                      walls = "default = {type = \"wall\"}\n";
    Stopped run(classical + west + "xmax = {type = \"total_pressure\", pressure = 0}\n" + walls);
    run.expect_as_undisturbed(classical + "xmax = {type = \"total_pressure\", pressure = 0}\n" +
                              west + "ymin = {type = \"wall\"}\nymax = {type = \"wall\"}\n");
    run.expect_refused(classical + "xmin = {type = \"total_pressure\", pressure = 0.1}\n" +
                           "xmax = {type = \"pressure\", pressure = 0}\n" + walls,
                       {"has the state of the pressure at \"xmin\", the total pressure at "
                        "\"xmax\", which the case no longer has"});
}

}  // namespace
}  // namespace solenoid::test::end_to_end_lists_test
