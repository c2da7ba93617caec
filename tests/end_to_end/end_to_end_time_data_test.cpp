// Data that depend on time: pulses of a thousandth of the run, in every datum of every physics, and
// what a run says of those that it cannot follow. What they make is known from integrals of the
// equations over time.

#include <sstream>

#include "flow_runs.hpp"

namespace solenoid::test::end_to_end_time_data_test {
namespace {

// What stands for PULSE in a case, over 1000 s; both with an integral of 1 s.
const std::string jump = "(t > 500.3 && t < 501.3 ? 1 : 0)", bell = "exp(-pi*(t-500.3)^2)";

std::string with_pulse(std::string text, const std::string& pulse) {
    for (std::size_t at; (at = text.find("PULSE")) != text.npos;) text.replace(at, 5, pulse);
    return text;
}

double integral(const Table& table, const std::string& column, double until) {
    double sum = 0, before = 0;
    const auto times = table.column("time"), values = table.column(column);
    for (std::size_t i = 0; i < times.size() && *times[i] <= until; ++i) {
        sum += (*times[i] - before) * *values[i];
        before = *times[i];
    }
    return sum;
}

double last(const Table& table, const std::string& column) {
    return table.column(column).back().value();
}

struct Datum {
    std::string name, text, file, column;
    double value;          // of the column
    bool is_summed;        // over time; else it is the last value
    std::string set = "";  // for errors below those of the datum
    double until = 1000;   // summed
};

const std::string box = "[mesh.box]\ncells = 60\ndimension = 2\n";
const std::string heat = box + "[time]\nend = 1000\n[initial]\ntemperature = 300\n";
const std::string insulated =
    "boundary.ymin = {type = \"insulated\"}\nboundary.ymax = {type = \"insulated\"}\n";
const std::string copper = "[material.default]\nconductivity = 0.2\nheat_capacity = 1\n";
const std::string cold = "boundary.xmax = {type = \"temperature\", value = 300}\n";
const std::string flow_tables = box + "[time]\nend = 1000\n[output]\nvtk = false\nevery = 1\n";
const std::string middle = "[[monitor]]\ntype = \"point\"\nname = \"middle\"\nat = [0.5, 0.5]\n";
const std::string walls = "boundary.ymin = {type = \"wall\"}\nboundary.ymax = {type = \"wall\"}\n";
const std::string slip =
    "boundary.ymin = {type = \"symmetry\"}\nboundary.ymax = {type = \"symmetry\"}\n";
const std::string round_x = "boundary.xmin = {type = \"periodic\", partner = \"xmax\"}\n";
const std::string still = walls +
                          "boundary.xmin = {type = \"wall\"}\nboundary.xmax = {type = "
                          "\"wall\"}\n[fluid]\nviscosity = 1\n";
const std::string free_sides =
    "boundary.xmin = {type = \"free\"}\nboundary.xmax = {type = \"free\"}\nboundary.ymin = {type = "
    "\"free\"}\nboundary.ymax = {type = \"free\"}\n";
const std::string wave_tables = box + "[time]\nend = 1000\n[output]\nvtk = false\nevery = 1\n";

// boundary.NAME = ... stands at the top of a file.
std::string at_top(const std::string& physics, const std::string& boundaries,
                   const std::string& rest) {
    return "physics = \"" + physics + "\"\n" + boundaries + rest;
}

const std::vector<Datum>& data() {
    // After a pulse long gone a linear problem has the integral over time of its steady answer.
    static const std::vector<Datum> all{
        {"HeatSource",
         at_top(
             "heat",
             insulated +
                 "boundary.xmin = {type = \"insulated\"}\nboundary.xmax = {type = \"insulated\"}\n",
             heat + copper + "source = \"PULSE\"\n"),
         "boundaries", "storage", 1, true},
        {"HeatFlux",
         at_top("heat",
                insulated + "boundary.xmin = {type = \"flux\", value = \"PULSE\"}\nboundary.xmax = "
                            "{type = \"insulated\"}\n",
                heat + copper),
         "boundaries", "storage", 1, true},
        {"HeatTemperature",
         at_top("heat",
                insulated + cold +
                    "boundary.xmin = {type = \"temperature\", value = \"300 + PULSE\"}\n",
                heat + copper),
         "boundaries", "xmax", -0.2, true},
        {"HeatAmbient",
         at_top("heat",
                insulated + cold +
                    "boundary.xmin = {type = \"convection\", h = 0.2, T_inf = \"300 + PULSE\"}\n",
                heat + copper),
         "boundaries", "xmax", -0.1, true},
        {"HeatCoefficient",
         at_top("heat",
                insulated + cold +
                    "boundary.xmin = {type = \"convection\", h = \"3e-3*PULSE\", T_inf = 400}\n",
                heat + copper),
         "boundaries", "xmax", -0.3, true, "time.tolerance=1e-5"},
        {"FlowInflow",
         at_top("flow",
                walls + "boundary.xmin = {type = \"inflow\", velocity = [\"6*y*(1-y)*PULSE\", "
                        "0]}\nboundary.xmax = {type = \"outflow\"}\n",
                flow_tables + "[fluid]\nviscosity = 1\n"),
         "boundaries", "xmin", 1, true},
        {"FlowWall",
         at_top("flow",
                round_x + "boundary.ymin = {type = \"wall\"}\nboundary.ymax = {type = \"wall\", "
                          "velocity = [\"PULSE\", 0]}\n",
                flow_tables + "[fluid]\nviscosity = 1\n" + middle),
         "middle", "u", 0.5, true, "time.courant=0.1", 515},
        {"FlowForce",
         at_top("flow", round_x + slip,
                flow_tables + "[fluid]\nviscosity = 1\n[flow]\nbody_force = [\"1e-3*PULSE\", 0]\n" +
                    middle),
         "middle", "u", 1e-3, false},
        {"FlowPressure",
         at_top(
             "flow",
             slip + "boundary.xmin = {type = \"pressure\", pressure = "
                    "\"1e-3*PULSE\"}\nboundary.xmax = {type = \"pressure\", pressure = 0}\n",
             flow_tables + "[fluid]\nviscosity = 1e-3\n[flow]\nmethod = \"classical\"\n" + middle),
         "middle", "u", 1e-3, false, "time.courant=0.1"},
        {"FlowImposed",
         at_top(
             "flow",
             "boundary.xmin = {type = \"periodic\", partner = \"xmax\", flux = \"PULSE\"}\n" + slip,
             flow_tables + "[fluid]\nviscosity = 1\n"),
         "flow", "flux_xmin", 1, true},
        {"ScalarSource",
         at_top("flow", still,
                flow_tables + "[scalar.dye]\ndiffusivity = 1\nsource = \"PULSE\"\n" + middle),
         "middle", "dye", 1, false},
        {"ScalarFlux",
         at_top("flow",
                walls + "boundary.xmax = {type = \"wall\"}\nboundary.xmin = {type = \"wall\", "
                        "dye_flux = \"PULSE\"}\n",
                flow_tables + "[fluid]\nviscosity = 1\n[scalar.dye]\ndiffusivity = 1\n" + middle),
         "middle", "dye", 1, false},
        {"ScalarValue",
         at_top("flow",
                slip + "boundary.xmax = {type = \"outflow\"}\nboundary.xmin = {type = \"inflow\", "
                       "velocity = [0.1, 0], dye = \"PULSE\"}\n",
                flow_tables +
                    "[initial]\nvelocity = [0.1, 0]\n[fluid]\nviscosity = "
                    "0.1\n[scalar.dye]\ndiffusivity = 0.01\n" +
                    middle),
         "middle", "dye", 1, true, "time.courant=0.2"},
        {"WaveSource",
         at_top("wave", free_sides,
                wave_tables + "[wave]\nspeed = 0.05\nsource = \"PULSE\"\n" + middle),
         "middle", "velocity", 1, false}};
    return all;
}

class Pulse : public testing::TestWithParam<Datum> {};

TEST_P(Pulse, OfAThousandthOfTheRunIsFelt) {
    const Datum& datum = GetParam();
    for (const std::string& pulse : {jump, bell}) {
        const Words options{"--device", "cpu"};
        const Flow run(with_pulse(datum.text, pulse),
                       datum.set.empty() ? options : joined(options, {"--set", datum.set}));
        ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
        EXPECT_EQ(run.outcome.err, "");
        const Table table = table_in(run.out() / "monitors" / (datum.file + ".csv"));
        const double found = datum.is_summed ? integral(table, datum.column, datum.until)
                                             : last(table, datum.column);
        EXPECT_NEAR(found, datum.value, 0.01 * std::abs(datum.value)) << pulse;
        std::printf("%s %s: %.6g of %.6g, %zu rows, %.2f s\n", datum.name.c_str(), pulse.c_str(),
                    found, datum.value, table.rows.size(), run.outcome.seconds);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryDatum, Pulse, testing::ValuesIn(data()),
                         [](const auto& info) { return info.param.name; });

// Jumps of a billionth of the run and bells of a ten-millionth leave what long ones do. What is
// made has an integral of 1; what is given as a speed or a flux is at most 1.
TEST_P(Pulse, OfAnyLengthIsFelt) {
    const Datum& datum = GetParam();
    const bool is_made =
        std::ranges::count(std::vector<std::string>{"HeatSource", "HeatFlux", "FlowForce",
                                                    "FlowPressure", "ScalarSource", "ScalarFlux"},
                           datum.name) > 0;
    if (!is_made && datum.name != "FlowInflow" && datum.name != "FlowImposed") return;
    const auto text = [](double number) {
        std::ostringstream words;
        words.precision(17);
        words << number;
        return words.str();
    };
    for (const auto& [is_bell, width, tolerance] :
         {std::tuple(false, 1e-6, 1e-6), std::tuple(true, 1e-4, 1e-4)}) {
        const std::string height = text(is_made ? 1 / width : 1.0), length = text(width);
        const std::string pulse =
            is_bell ? height + "*exp(-pi*((t - 400.3)/" + length + ")^2)"
                    : "(t > 400.3 && t < 400.3 + " + length + " ? " + height + " : 0)";
        const Words options{"--device", "cpu"};
        const Flow run(with_pulse(datum.text, "(" + pulse + ")"),
                       datum.set.empty() ? options : joined(options, {"--set", datum.set}));
        ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
        EXPECT_EQ(run.outcome.err, "");
        const Table table = table_in(run.out() / "monitors" / (datum.file + ".csv"));
        const double found = datum.is_summed ? integral(table, datum.column, datum.until)
                                             : last(table, datum.column),
                     expected = datum.value * (is_made ? 1 : width);
        EXPECT_NEAR(found / expected, 1, tolerance)
            << pulse << ", " << table.rows.size() << " rows";
    }
}

// Steps of 0.3 s, which no jump is a multiple of, end on the jumps.
TEST(Pulses, AreFeltByFixedSteps) {
    const Datum& source = data().front();
    const Flow run(with_pulse(source.text, jump),
                   {"--device", "cpu", "--set", "time.step=0.3", "--set", "output.vtk=false"});
    ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
    EXPECT_EQ(run.outcome.err, "");
    EXPECT_NEAR(integral(table_in(run.out() / "monitors/boundaries.csv"), "storage", 1000), 1,
                1e-9);
}

// A bell that is over before a fixed step is: sources, given fluxes and forces bring their whole
// integral, and the balance of heat holds; of other data it is said that steps see them at their
// ends only.
TEST_P(Pulse, IsIntegratedOverFixedSteps) {
    const Datum& datum = GetParam();
    const bool is_integrated =
        std::ranges::count(std::vector<std::string>{"HeatSource", "HeatFlux", "HeatAmbient",
                                                    "FlowForce", "ScalarSource", "ScalarFlux"},
                           datum.name) > 0;
    if (!is_integrated && datum.name.find("Heat") != 0) return;
    std::vector<std::string> ways{"output={vtk=false}"};
    if (datum.name == "FlowForce")
        ways.insert(ways.end(), {"flow.time_scheme=midpoint", "flow.momentum=rotational"});
    for (const std::string& way : ways) {
        SCOPED_TRACE(way);
        const Flow run(
            with_pulse(datum.text, bell),
            {"--device", "cpu", "--set",
             is_integrated ? "time={end=1000, step=7}" : "time={end=1000, step=4}", "--set", way});
        ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
        if (!is_integrated) {
            EXPECT_NE(
                run.outcome.err.find("steps use its values at their ends only. Take time.step = "),
                std::string::npos)
                << run.outcome.err;
            continue;
        }
        EXPECT_EQ(run.outcome.err, "");
        const Table table = table_in(run.out() / "monitors" / (datum.file + ".csv"));
        const double found = datum.is_summed ? integral(table, datum.column, datum.until)
                                             : last(table, datum.column);
        EXPECT_NEAR(found, datum.value, 2e-3 * std::abs(datum.value));
        if (datum.name.find("Heat") != 0) continue;
        for (const auto& imbalance : table.column("imbalance"))
            EXPECT_LT(std::abs(*imbalance), 1e-9);
    }
}

TEST(Pulses, OfASourceBesideFixedTemperaturesAreBalanced) {
    const std::string text =
        at_top("heat", insulated + cold + "boundary.xmin = {type = \"insulated\"}\n",
               heat + copper + "source = \"PULSE\"\n");
    for (const int ranks : {1, 2}) {
        const Flow run(with_pulse(text, bell),
                       {"--device", "cpu", "--set", "time.step=7", "--set", "output.vtk=false"},
                       ranks);
        ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
        const Table table = table_in(run.out() / "monitors/boundaries.csv");
        EXPECT_NEAR(integral(table, "source", 1000), 1, 2e-3);
        EXPECT_NEAR(integral(table, "xmax", 1000), -1, 2e-3);
        for (const auto& imbalance : table.column("imbalance"))
            EXPECT_LT(std::abs(*imbalance), 1e-9);
    }
}

// Ten pulses over 1000 s, and what fills a minute in an hour; the balance holds.
TEST(Pulses, OfATrainAreAllFelt) {
    const std::string& text = data().front().text;
    for (const auto& [pulse, end, made] :
         {std::tuple("(t - 100*floor(t/100) > 50 && t - 100*floor(t/100) < 51 ? 1 : 0)", "1000",
                     10.0),
          std::tuple("(t - 60*floor(t/60) < 20 ? 1 : 0)", "3600", 1200.0)})
        for (const int ranks : {1, 2}) {
            const Flow run(with_pulse(text, pulse),
                           {"--device", "cpu", "--set", std::string("time.end=") + end}, ranks);
            ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
            const Table table = table_in(run.out() / "monitors/boundaries.csv");
            EXPECT_NEAR(integral(table, "source", 1e9), made, 1e-9 * made) << pulse;
            EXPECT_NEAR(integral(table, "storage", 1e9), made, 1e-6 * made) << pulse;
            for (const auto& imbalance : table.column("imbalance"))
                EXPECT_LT(std::abs(*imbalance), 1e-9);
        }
}

// A body that conducts so well that a long step's change is uniform but for 1e-8 of it, which
// rounding then keeps from the default tolerance: it has dT/dt = h (400 - T).
TEST(Pulses, AreFeltByWhatConductsWell) {
    const std::string text =
        at_top("heat",
               insulated +
                   "boundary.xmax = {type = \"insulated\"}\nboundary.xmin = {type = "
                   "\"convection\", h = \"" +
                   bell + "\", T_inf = 400}\n",
               heat + "[material.default]\nconductivity = 1e3\nheat_capacity = 1\n");
    for (const int ranks : {1, 2}) {
        const Flow run(text, {"--device", "cpu", "--set", "output.vtk=false"}, ranks);
        ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
        const Table table = table_in(run.out() / "monitors/boundaries.csv");
        EXPECT_NEAR(integral(table, "storage", 1000), 100 * (1 - std::exp(-1.0)), 0.3);
        for (const auto& imbalance : table.column("imbalance"))
            EXPECT_LT(std::abs(*imbalance), 1e-9);
    }
    const Flow asked(text, {"--device", "cpu", "--set", "solver.temperature.tolerance=1e-13",
                            "--set", "time.retries=0"});
    EXPECT_EQ(asked.outcome.code, 1);  // a tolerance that is given is kept
    EXPECT_NE(asked.outcome.err.find("raise solver.temperature.tolerance"), std::string::npos)
        << asked.outcome.err;
}

// Pulses of a hundred-thousandth: said, with what helps, and that does.
TEST(Pulses, TooShortToBeSeenAreSpokenOf) {
    const std::string train = "(t - 0.1*floor(t/0.1) < 0.01 ? 1 : 0)";
    const Datum& source = data().front();
    const Flow run(
        with_pulse(source.text, train),
        {"--device", "cpu", "--set", "time={end=1000, step=1}", "--set", "output.vtk=false"});
    EXPECT_EQ(run.outcome.code, 0) << run.outcome.err;
    EXPECT_NE(run.outcome.err.find("material.default.source"), std::string::npos)
        << run.outcome.err;
    EXPECT_NE(run.outcome.err.find("case.toml:"), std::string::npos) << run.outcome.err;
    EXPECT_NE(run.outcome.err.find("Take time.step = "), std::string::npos) << run.outcome.err;
    const Flow helped(
        with_pulse(source.text, train),
        {"--device", "cpu", "--set", "time={end=10, step=0.002}", "--set", "output.vtk=false"});
    EXPECT_EQ(helped.outcome.err, "");
    EXPECT_NEAR(integral(table_in(helped.out() / "monitors/boundaries.csv"), "storage", 1000), 1,
                1e-6);
}

TEST(Pulses, OfNoFiniteValueAreRefusedBeforeTheRun) {
    const Flow run(with_pulse(data().front().text, "sqrt(500 - t)"), {"--device", "cpu"}, 2);
    EXPECT_EQ(run.outcome.code, 2);
    EXPECT_NE(run.outcome.err.find("sqrt(500 - t)"), std::string::npos) << run.outcome.err;
    EXPECT_LE(lines_of(contents(run.out() / "monitors/boundaries.csv")).size(), 1u);
}

// Of a pulse much shorter than the mesh's own periods only its integral matters: steps of the run's
// own choice, which would be longer than the pulse, and short fixed ones leave the same energy.
TEST(Pulses, OfAWaveAtItsBoundaryMakeWhatTheirIntegralTells) {
    const std::string sides =
        "boundary.xmin = {type = \"fixed\", value = \"PULSE\"}\nboundary.xmax = {type = "
        "\"fixed\"}\n"
        "boundary.ymin = {type = \"free\"}\nboundary.ymax = {type = \"free\"}\n";
    const auto energy = [&](const std::string& scheme, const std::string& pulse,
                            const std::string& time) {
        const std::string text = "physics = \"wave\"\n" + sides + wave_tables +
                                 "[wave]\nspeed = 0.005\ntime_scheme = \"" + scheme + "\"\n";
        const Flow run(with_pulse(text, pulse),
                       {"--device", "cpu", "--set", "output.vtk=false", "--set", time});
        EXPECT_EQ(run.outcome.code, 0) << run.outcome.err;
        EXPECT_EQ(run.outcome.err, "");
        return last(table_in(run.out() / "monitors/wave.csv"), "energy");
    };
    // Without energies below the least normal number, which the table's reader refuses.
    const double left =
        energy("leapfrog", "max(0, " + bell + " - 1e-20)", "time={end=503, step=0.02}");
    EXPECT_GT(left, 0);
    EXPECT_NEAR(energy("leapfrog", jump, "time.end=503"), left, 0.01 * left);
    for (const std::string scheme : {"leapfrog", "trapezoidal"})
        EXPECT_NEAR(energy(scheme, jump, "time={end=503, step=0.07}"), left, 0.01 * left) << scheme;
}

}  // namespace
}  // namespace solenoid::test::end_to_end_time_data_test
