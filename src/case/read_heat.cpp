// The tables of a heat case.
#include <fmt/format.h>

#include <algorithm>

#include "case/named.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

const Keys<MaterialSettings>& material_keys() {
    static const auto keys = Keys<MaterialSettings>()
        .other("conductivity", "formula", "required", "k [W/(m K)], of x, y, z; positive")
        .other("heat_capacity", "formula", "`1`, required with a `[time]`", "ρc [J/(m³ K)], of x, y, z; positive")
        .other("density", "formula", "none", "ρ [kg/m³], together with `specific_heat` and instead of `heat_capacity`")
        .other("specific_heat", "formula", "none", "c [J/(kg K)]")
        .other("source", "formula", "`0`", "heat made in the volume [W/m³], of x, y, z, t");
    return keys;
}

const Keys<TimeSettings>& time_keys() {
    static const auto keys = Keys<TimeSettings>()
        .other("end", "number", "required", "time at which to stop [s]")
        .other("step", "number", "chosen as it goes", "time step [s]; without it the step follows the error estimate")
        .other("tolerance", "number", "`1e-3`", "of that estimate: error of a step over the range of temperature, between 0 and 1; not together with `step`")
        .other("steps", "integer", "none", "stop after so many steps, if `end` is not reached before: the status is then \"stopped\"");
    return keys;
}

const Keys<CaseSettings>& initial_keys() {
    static const auto keys = Keys<CaseSettings>()
        .other("temperature", "formula", "required", "temperature at the start [K], of x, y, z");
    return keys;
}

const std::vector<Key>& solver_keys() {
    static const std::vector<Key> keys = declared_solver_keys("`1e-10` in double, `1e-5` in single precision",
                                                              "more are a failure",
                                                              "`\"multigrid\"`, `\"jacobi\"`, `\"none\"`; `\"automatic\"`: multigrid in a steady case and where the mean diffusion number exceeds 100, Jacobi elsewhere");
    return keys;
}

// A property of the material: of x, y, z, and above zero where it is a number.
Formula property(const TableReader& table, const std::string& key) {
    const Formula formula = table.formula(key);
    if (formula.depends_on_time()) table.fail(key, "may depend on x, y and z, not on t");
    if (formula.is_constant() && !(formula(Vec3{0}) > 0))
        table.fail(key, fmt::format("must be positive, found {}", formula.text()));
    return formula;
}

// rho c, given as such or as density times specific heat.
Formula heat_capacity(const TableReader& table, bool needed) {
    if (table.has("heat_capacity"))
        for (const char* key : {"density", "specific_heat"})
            table.refuse(key, "and \"heat_capacity\" (density times specific heat): give one of them");
    if (table.has("heat_capacity")) return property(table, "heat_capacity");
    if (table.has("density") || table.has("specific_heat"))
        return property(table, "density") * property(table, "specific_heat");
    if (needed)
        throw InputError(table.place(), fmt::format("{} needs the key \"heat_capacity\" (or \"density\" and "
                                                    "\"specific_heat\"): the case has a [time]",
                                                    table.title()));
    return Formula(1.0);
}

MaterialSettings read_material(const TableReader& table, bool transient) {
    material_keys().allow(table);
    MaterialSettings material;
    material.place = table.place();
    material.conductivity = property(table, "conductivity");
    material.heat_capacity = heat_capacity(table, transient);
    if (table.has("source")) material.source = table.formula("source");
    return material;
}

HeatBoundary read_boundary(const TableReader& table, const std::string& name) {
    const HeatConditionKind& kind = read_condition_kind(table, heat_condition_kinds(), "heat");
    return {name, table.place(), kind.name, kind.read(table, {})};
}

TimeSettings read_time(const TableReader& table) {
    refuse_keys_of_other_physics(table, "[time]", "heat");
    time_keys().allow(table);
    TimeSettings time;
    read_end(table, time);
    if (table.has("tolerance")) time.tolerance = read_tolerance(table);
    return time;
}

Formula read_initial(const TableReader& table) {
    refuse_keys_of_other_physics(table, "[initial]", "heat");
    initial_keys().allow(table);
    return table.formula("temperature");
}

void read_solvers(const TableReader& table, CaseSettings& settings) {
    refuse_keys_of_other_physics(table, "[solver]", "heat");
    table.allow({"temperature"});
    if (table.has("temperature")) settings.temperature_solver = read_solver(table.table("temperature"));
}

// The sections that hold one table a name.
void read_named_tables(const TableReader& root, CaseSettings& settings) {
    if (root.has("material")) {
        const TableReader materials = root.table("material");
        for (const std::string& name : materials.keys())
            settings.materials.emplace(name, read_material(materials.table(name), !settings.time.steady));
    }
    if (root.has("boundary")) {
        const TableReader boundaries = root.table("boundary");
        for (const std::string& name : boundaries.keys())
            if (const TableReader table = boundaries.table(name); !read_periodic(table, name, settings))
                settings.boundaries.push_back(read_boundary(table, name));
    }
}

void read_initial_and_time(const TableReader& root, CaseSettings& settings) {
    if (root.has("time")) settings.time = read_time(root.table("time"));
    if (root.has("initial")) settings.initial_temperature = read_initial(root.table("initial"));
    if (!settings.time.steady && !root.has("initial"))
        throw InputError(root.place("time"),
                         "a case with a [time] needs a table [initial] with the temperature");
}

void read_heat(const TableReader& root, CaseSettings& settings) {
    read_initial_and_time(root, settings);
    read_named_tables(root, settings);
    if (root.has("solver")) read_solvers(root.table("solver"), settings);
}

std::vector<KeyTable> heat_tables() {
    return {{"[material.NAME]", "heat", material_keys().declared()}, {"[time]", "heat", time_keys().declared()}, {"[initial]", "heat", initial_keys().declared()},
            {"[solver.temperature]", "heat", solver_keys()}};
}

void check_heat(const CaseSettings& settings, const MeshNames& mesh) {
    for (const auto& [name, material] : settings.materials)
        if (name != "default" && !contains(mesh.regions, name))
            refuse_unknown(material.place, "material", "region", name, mesh.regions);
    if (settings.materials.contains("default")) return;
    for (const std::string& region : mesh.regions)
        if (!settings.materials.contains(region))
            throw InputError(settings.place,
                             fmt::format("no material for the region \"{}\": add [material.{}] or "
                                         "[material.default] (the mesh has the regions {})",
                                         region, region, enumerated(mesh.regions)));
}

}  // namespace

Physics heat_physics() {
    return {.name = "heat",
            .summary = "heat conduction",
            .tables = {"material"},
            .read = read_heat,
            .check = check_heat,
            .key_tables = heat_tables,
            .conditions = [] { return summaries_of(heat_condition_kinds()); },
            .picture_fields = [](const CaseSettings&) { return std::vector<std::string>{"temperature"}; },
            .monitor_types = [](const CaseSettings&) { return std::vector<std::string>{}; },
            .monitor_files = [](const CaseSettings&) { return std::vector<std::pair<std::string, std::string>>{{"boundaries", "the heat flows"}}; },
            .solvers = [](CaseSettings& s) { return std::vector<SolverSettings*>{&s.temperature_solver}; }};
}

}  // namespace solenoid
