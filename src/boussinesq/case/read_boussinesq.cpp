// The tables of a case of the Boussinesq model.
#include <fmt/format.h>

#include <cmath>

#include "boussinesq/case/boussinesq_case.hpp"
#include "boussinesq/case/boussinesq_physics.hpp"
#include "case/named.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

Formula in_plane(const TableReader& table, const std::string& key, const Formula& formula) {
    if (formula.depends_on_time()) table.fail(key, "may depend on x and y, not on t");
    return formula;
}

const Keys<WaterSettings>& water_keys() {
    static const auto keys =
        Keys<WaterSettings>()
            .other("depth", "formula", "required without `depth_file`",
                   "h [m], of x, y; land where it is not above 0")
            .other("depth_file", "string", "none",
                   "an ESRI ASCII grid (.asc) of depths [m], a path counted from the folder of the "
                   "case file; cells without data are land")
            .key("depth_sign", &WaterSettings::depth_sign, value::choice({"depth", "elevation"}),
                 "`\"depth\"`",
                 "what the numbers of `depth_file` are: depths below its zero, or with "
                 "`\"elevation\"` "
                 "heights of the bottom above it")
            .key("origin", &WaterSettings::origin, value::point(), "`[0, 0]`",
                 "where, in the coordinates of `depth_file`, the grid's (0, 0) is [m]")
            .key(
                "water_level", &WaterSettings::water_level, value::quantity(), "`0`",
                "level of the water at rest above the zero of `depth_file` [m]: it is added to all "
                "depths")
            .other("current", "vector", "`[0, 0]`", "U [m/s], of x, y")
            .key("gravity", &WaterSettings::gravity, value::positive(), "`9.81`", "g [m/s²]")
            .key("density", &WaterSettings::density, value::positive(), "`1000`",
                 "density of the water [kg/m³]: forces on ships are proportional to it")
            .one_of({"depth", "depth_file"});
    return keys;
}

WaterSettings read_water(const TableReader& table, const std::filesystem::path& folder) {
    water_keys().allow(table);
    WaterSettings water = water_keys().read(table);
    if (!table.has("depth") && !table.has("depth_file"))
        throw InputError(table.place(), "[boussinesq] needs the key \"depth\" or \"depth_file\"");
    if (table.has("depth")) water.depth = in_plane(table, "depth", table.formula("depth"));
    water.depth_place = table.place(table.has("depth") ? "depth" : "depth_file");
    if (!table.has("depth_file"))
        for (const char* key : {"depth_sign", "origin", "water_level"})
            table.refuse(key, "belongs to a file of depths, \"depth_file\"");
    water.has_depth_sign = table.has("depth_sign");
    if (water.origin.z != 0)
        table.fail("origin", "has a third coordinate: a grid is in two dimensions");
    if (table.has("depth_file")) {
        const std::string name = table.text("depth_file");
        if (name.empty() || name.find('\0') != std::string::npos)
            table.fail("depth_file", "must be the path of a file of depths");
        water.depth_file = (folder / name).lexically_normal();
        std::error_code error;
        if (!std::filesystem::is_regular_file(water.depth_file, error))
            table.fail("depth_file",
                       fmt::format("\"{}\": there is no file {}", name, water.depth_file.string()));
    }
    if (table.has("current")) {
        water.current = table.vector_formula("current");
        for (const Formula& component : water.current) in_plane(table, "current", component);
    }
    return water;
}

// ---- ships

struct ShipKeys : ShipSettings {
    double speed = 0, heading = 0, turn_rate = 0;
    std::optional<double> given_rise;
};

const Keys<ShipKeys>& ship_keys() {
    static const auto keys =
        Keys<ShipKeys>()
            .other("name", "string", "`\"ship\"`",
                   "name of the ship and of its table `monitors/NAME.csv`")
            .key<double>("length", &ShipKeys::length, value::positive(), "required",
                         "length of the hull [m]")
            .key<double>("beam", &ShipKeys::beam, value::positive(), "required",
                         "width of the hull [m]")
            .key<double>("draught", &ShipKeys::draught, value::positive(), "required",
                         "greatest depth of the hull [m]")
            .other("at", "point", "required without `times`",
                   "place of the middle of a steered ship at the start [m]")
            .key("heading", &ShipKeys::heading, value::quantity(), "`0`",
                 "heading of a steered ship at the start, from x towards y [°]")
            .key("speed", &ShipKeys::speed, value::quantity(), "`0`",
                 "speed of a steered ship [m/s]")
            .key("turn_rate", &ShipKeys::turn_rate, value::quantity(), "`0`",
                 "rate of turn of a steered ship, to port where positive [°/s]")
            .other("times", "numbers", "none",
                   "when a ship on a path is at the points `x`, `y` [s]; between them it "
                   "goes smoothly, before and behind it lies still")
            .other("x", "numbers", "none", "x of these points [m]")
            .other("y", "numbers", "none", "y of these points [m]")
            .other("moves", "strings", "none",
                   "how the waves may move it: of `\"heave\"`, `\"pitch\"`, `\"roll\"`")
            .key<double>("pitch_radius", &ShipKeys::pitch_radius, value::positive(), "`0.25`",
                         "radius of inertia of pitch over the length")
            .key<double>("roll_radius", &ShipKeys::roll_radius, value::positive(), "`0.35`",
                         "radius of inertia of roll over the beam")
            .key("rise", &ShipKeys::given_rise, value::optional(value::not_negative()),
                 "4 √(length / g)",
                 "time in which its draught grows, so that it makes no splash [s]");
    return keys;
}

ShipCourse path_of(const TableReader& table) {
    constexpr std::size_t most = 100000;
    for (const char* key : {"at", "heading", "speed", "turn_rate"})
        table.refuse(key, "belongs to a ship that is steered: this one has a path, \"times\"");
    const std::vector<double> t = table.numbers("times", 2, most), x = table.numbers("x", 2, most),
                              y = table.numbers("y", 2, most);
    for (const auto& [key, list] : {std::pair("x", &x), std::pair("y", &y)})
        if (list->size() != t.size())
            table.fail(key, fmt::format("has {} numbers, and \"times\" has {}: one for each time",
                                        list->size(), t.size()));
    std::vector<Waypoint> path;
    for (std::size_t k = 0; k < t.size(); ++k) path.push_back({t[k], x[k], y[k]});
    try {
        return ShipCourse(std::move(path));
    } catch (const InputError& error) {
        table.fail("times", error.what());
    }
}

NamedShip read_ship(const TableReader& table, const WaterSettings& water) {
    ship_keys().allow(table);
    const ShipKeys keys = ship_keys().read(table);
    NamedShip ship{"ship", table.place(), keys};
    if (table.has("name")) ship.name = file_name(table, "name");
    // the run's own table, and what is in it
    if (contains({"water", "step"}, ship.name))
        table.fail("name", fmt::format("\"{}\" is what the run records of itself: take another",
                                       ship.name));
    if (table.has("times")) {
        ship.settings.course = path_of(table);
    } else {
        for (const char* key : {"x", "y"})
            table.refuse(key, "belongs to a ship on a path, with \"times\"");
        const Vec3 at = table.point("at");
        if (at.z != 0) table.fail("at", "has a third coordinate: a grid is in two dimensions");
        ship.settings.course = ShipCourse({at.x, at.y, keys.heading * radians_a_degree}, keys.speed,
                                          keys.turn_rate * radians_a_degree);
    }
    if (table.has("moves"))
        for (const std::string& motion : table.texts("moves")) {
            if (motion != "heave" && motion != "pitch" && motion != "roll")
                table.fail("moves", fmt::format("must be of \"heave\", \"pitch\" and \"roll\", "
                                                "found \"{}\"",
                                                motion));
            (motion == "heave"   ? ship.settings.heaves
             : motion == "pitch" ? ship.settings.pitches
                                 : ship.settings.rolls) = true;
        }
    ship.settings.rise =
        keys.given_rise.value_or(4 * std::sqrt(ship.settings.length / water.gravity));
    return ship;
}

// ---- time, start, solver

const Keys<TimeSettings>& time_keys() {
    static const auto keys =
        Keys<TimeSettings>()
            .other("end", "number", "required", "time at which to stop [s]")
            .other("step", "number", "0.9 of the limit",
                   "time step [s]; beyond the limit of the leapfrog scheme an error that names it. "
                   "All steps are alike: without it they fit `end` and the intervals of outputs")
            .other("steps", "integer", "none",
                   "stop after so many steps, if `end` is not reached before: the status is then "
                   "\"stopped\"")
            .steerable({"end", "steps"});
    return keys;
}

const Keys<BoussinesqCase>& initial_keys() {
    static const auto keys =
        Keys<BoussinesqCase>()
            .key("elevation", &BoussinesqCase::initial_elevation, value::formula(), "`0`",
                 "elevation of the surface at the start [m], of x, y")
            .key("potential", &BoussinesqCase::initial_potential, value::formula(), "`0`",
                 "potential at the surface at the start [m²/s], of x, y")
            .other("file", "string", "none", help_of_initial_file)
            .other("outside", "string", "`\"refuse\"`", help_of_outside);
    return keys;
}

const Keys<BoussinesqCase>& solver_keys() {
    static const auto keys =
        Keys<BoussinesqCase>()
            .key("tolerance", &BoussinesqCase::tolerance,
                 ValueReader<double>{"number",
                                     [](const TableReader& table, const std::string&) {
                                         return read_tolerance(table);
                                     }},
                 "`1e-5`",
                 "stop when the norm of the residual in M⁻¹ is at most this part of that of the "
                 "zero guess")
            .key("max_iterations", &BoussinesqCase::max_iterations,
                 value::integer(1, 1'000'000'000), "`1000`",
                 "largest number of iterations; where more are needed the step, or the run, fails");
    return keys;
}

void read_time(const TableReader& table, const OtherPhysics& others, CaseSettings& settings) {
    others.refuse_keys(table, "[time]");
    time_keys().allow(table);
    read_end(table, settings);
}

void refuse_in_grid(const CaseSettings& settings) {
    const GridSettings& grid = *settings.grid;
    const auto refuse = [&](const char* key, const char* why) {
        throw InputError(
            grid.place,
            fmt::format("[grid] {}: {} in a case with physics = \"boussinesq\"", key, why));
    };
    if (!grid.maps.empty()) refuse("map", "the model is on grids of rectangles: leave it out");
    if (grid.is_periodic_x || grid.is_periodic_y)
        refuse("periodic", "the model has walls or absorbing borders on all sides: leave it out");
}

}  // namespace

void BoussinesqPhysics::read(const TableReader& root, const OtherPhysics& others,
                             CaseSettings& settings) const {
    BoussinesqCase water;
    refuse_in_grid(settings);
    water.water = read_water(root.table("boussinesq"), settings.file.parent_path());
    if (!root.has("time"))
        throw InputError(root.place(),
                         "a case of waves needs a table [time]: they have no steady "
                         "state to compute");
    read_time(root.table("time"), others, settings);
    if (root.has("initial")) {
        const TableReader table = root.table("initial");
        others.refuse_keys(table, "[initial]");
        initial_keys().allow(table);
        const BoussinesqCase given = initial_keys().read(table);
        water.initial_elevation = given.initial_elevation;
        water.initial_potential = given.initial_potential;
        settings.initial = read_initial_file(table, settings);
    }
    if (root.has("boundary")) {
        const TableReader boundaries = root.table("boundary");
        for (const std::string& name : boundaries.keys()) {
            const TableReader table = boundaries.table(name);
            refuse_periodic_type(table);
            const BoussinesqConditionKind& kind =
                read_condition_kind(table, boussinesq_condition_kinds(), others);
            water.boundaries.push_back({name, table.place(), kind.read(table, {})});
        }
    }
    for (const TableReader& table : root.tables("ship")) {
        water.ships.push_back(read_ship(table, water.water));
        for (std::size_t k = 0; k + 1 < water.ships.size(); ++k)
            if (water.ships[k].name == water.ships.back().name)
                table.fail("name", fmt::format("\"{}\" is taken by the one at {}",
                                               water.ships[k].name, water.ships[k].place));
    }
    if (root.has("solver")) {
        const TableReader solvers = root.table("solver");
        others.refuse_keys(solvers, "[solver]");
        solvers.allow({"psi"});
        if (solvers.has("psi")) {
            const TableReader table = solvers.table("psi");
            solver_keys().allow(table);
            const BoussinesqCase given = solver_keys().read(table);
            water.tolerance = given.tolerance;
            water.max_iterations = given.max_iterations;
        }
    }
    settings.own = water;
}

void BoussinesqPhysics::check(const CaseSettings& settings, const MeshNames&) const {
    for (const BoussinesqBoundary& b : settings_of<BoussinesqCase>(settings).boundaries)
        if (b.name == "land" && b.condition->width > 0)
            throw InputError(b.place,
                             "[boundary.land]: a shore reflects waves: its type is "
                             "\"wall\"; absorbing borders lie along sides of the grid");
}

// A shore is a wall, with a table or without one.
std::vector<ConditionPlace> BoussinesqPhysics::conditions_of(const CaseSettings& settings) const {
    std::vector<ConditionPlace> conditions;
    for (const BoussinesqBoundary& b : settings_of<BoussinesqCase>(settings).boundaries)
        conditions.push_back({b.name, b.place});
    return conditions;
}

void BoussinesqPhysics::with_default(CaseSettings& settings,
                                     const std::vector<std::string>& groups) const {
    solenoid::with_default(settings_of<BoussinesqCase>(settings).boundaries, groups);
}

std::vector<Physics::InitialField> BoussinesqPhysics::initial_fields(CaseSettings& settings) const {
    BoussinesqCase& water = settings_of<BoussinesqCase>(settings);
    return {{"elevation", {&water.initial_elevation}, "boussinesq/zeta"},
            {"potential", {&water.initial_potential}, "boussinesq/phi"}};
}

std::vector<KeyTable> BoussinesqPhysics::key_tables() const {
    return {{"[boussinesq]", "boussinesq", water_keys().declared()},
            {"[[ship]]", "boussinesq", ship_keys().declared()},
            {"[time]", "boussinesq", time_keys().declared()},
            {"[initial]", "boussinesq", initial_keys().declared()},
            {"[solver.psi]", "boussinesq", solver_keys().declared()}};
}

std::vector<ConditionSummary> BoussinesqPhysics::conditions() const {
    return summaries_of(boussinesq_condition_kinds());
}

std::vector<std::pair<std::string, std::string>> BoussinesqPhysics::monitor_files(
    const CaseSettings& settings) const {
    std::vector<std::pair<std::string, std::string>> files{{"water", "every step's energy"}};
    for (const NamedShip& ship : settings_of<BoussinesqCase>(settings).ships)
        files.emplace_back(ship.name, "a ship's place, forces and motion");
    return files;
}

}  // namespace solenoid
