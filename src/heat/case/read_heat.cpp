// The tables of a heat case.
#include <fmt/format.h>

#include <algorithm>

#include "case/named.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"
#include "heat/case/heat_physics.hpp"
#include "heat/case/heat_settings.hpp"

namespace solenoid {
namespace {

const Keys<MaterialSettings>& material_keys() {
    static const auto keys =
        Keys<MaterialSettings>()
            .other("conductivity", "formula", "required", "k [W/(m K)], of x, y, z; positive")
            .other("heat_capacity", "formula", "`1`, required with a `[time]`",
                   "ρc [J/(m³ K)], of x, y, z; positive")
            .other("density", "formula", "none",
                   "ρ [kg/m³], together with `specific_heat` and instead of `heat_capacity`")
            .other("specific_heat", "formula", "none", "c [J/(kg K)]")
            .other("source", "formula", "`0`", "heat made in the volume [W/m³], of x, y, z, t");
    return keys;
}

const Keys<HeatSettings>& time_keys() {
    static const auto keys =
        Keys<HeatSettings>()
            .other("end", "number", "required", "time at which to stop [s]")
            .other("step", "number", "chosen as it goes",
                   "time step [s]; without it the step follows the error estimate")
            .other("tolerance", "number", "`1e-3`",
                   "tolerance of that estimate: error of a step over the range of temperature, "
                   "between 0 and "
                   "1; not together with `step`")
            .other("first_step", "number", "1e-4 of `end`",
                   "length of the first step [s], shorter where the estimate asks for that; not "
                   "together with `step`")
            .other("largest_step", "number", "none",
                   "no step is longer [s]; not together with `step`")
            .other("steps", "integer", "none",
                   "stop after so many steps, if `end` is not reached before: the status is then "
                   "\"stopped\"")
            .other("retries", "integer", "`8`", retries_help)
            .one_of({"tolerance", "step"})
            .one_of({"first_step", "step"})
            .one_of({"largest_step", "step"})
            .steerable({"end", "steps", "tolerance", "largest_step"});
    return keys;
}

const Keys<HeatSettings>& initial_keys() {
    static const auto keys = Keys<HeatSettings>()
                                 .other("temperature", "formula", "required without `file`",
                                        "temperature at the start [K], of x, y, z")
                                 .other("file", "string", "none", help_of_initial_file)
                                 .other("outside", "string", "`\"refuse\"`", help_of_outside)
                                 .one_of({"temperature", "file"});
    return keys;
}

const std::vector<Key>& solver_keys() {
    static const std::vector<Key> keys = declared_solver_keys(
        "`1e-10` in double, `1e-5` in single precision",
        "largest number of iterations; where more are needed the step, or the run, fails",
        "`\"multigrid\"`, `\"jacobi\"`, `\"none\"`; `\"automatic\"`: multigrid in a steady case "
        "and where the mean diffusion number exceeds 100, Jacobi elsewhere");
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
            table.refuse(key,
                         "and \"heat_capacity\" (density times specific heat): give one of them");
    if (table.has("heat_capacity")) return property(table, "heat_capacity");
    if (table.has("density") || table.has("specific_heat"))
        return property(table, "density") * property(table, "specific_heat");
    if (needed)
        throw InputError(table.place(),
                         fmt::format("{} needs the key \"heat_capacity\" (or \"density\" and "
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

HeatBoundary read_boundary(const TableReader& table, const std::string& name,
                           const OtherPhysics& others) {
    const HeatConditionKind& kind = read_condition_kind(table, heat_condition_kinds(), others);
    return {name, table.place(), kind.read(table, {})};
}

void read_time(const TableReader& table, const OtherPhysics& others, CaseSettings& settings) {
    others.refuse_keys(table, "[time]");
    time_keys().allow(table);
    read_end(table, settings);
    read_step_control(table, settings);
}

void read_initial(const TableReader& table, const OtherPhysics& others, CaseSettings& settings,
                  HeatSettings& heat) {
    others.refuse_keys(table, "[initial]");
    initial_keys().allow(table);
    settings.initial = read_initial_file(table, settings);
    if (!settings.initial) heat.initial = table.formula("temperature");
}

void read_solvers(const TableReader& table, const OtherPhysics& others, HeatSettings& heat) {
    others.refuse_keys(table, "[solver]");
    table.allow({"temperature"});
    if (table.has("temperature")) heat.solver = read_solver(table.table("temperature"));
}

void read_initial_and_time(const TableReader& root, const OtherPhysics& others,
                           CaseSettings& settings, HeatSettings& heat) {
    if (root.has("time")) read_time(root.table("time"), others, settings);
    if (root.has("initial")) read_initial(root.table("initial"), others, settings, heat);
    if (!settings.time.steady && !root.has("initial"))
        throw InputError(root.place("time"),
                         "a case with a [time] needs a table [initial] with the temperature");
}

}  // namespace

void HeatPhysics::read(const TableReader& root, const OtherPhysics& others,
                       CaseSettings& settings) const {
    HeatSettings heat;
    read_initial_and_time(root, others, settings, heat);
    if (root.has("material")) {
        const TableReader materials = root.table("material");
        for (const std::string& name : materials.keys())
            heat.materials.emplace(name,
                                   read_material(materials.table(name), !settings.time.steady));
    }
    if (root.has("boundary")) {
        const TableReader boundaries = root.table("boundary");
        for (const std::string& name : boundaries.keys())
            if (const TableReader table = boundaries.table(name);
                !read_periodic(table, name, settings))
                heat.boundaries.push_back(read_boundary(table, name, others));
    }
    if (root.has("solver")) read_solvers(root.table("solver"), others, heat);
    settings.own = heat;
}

std::vector<KeyTable> HeatPhysics::key_tables() const {
    return {{"[material.NAME]", "heat", material_keys().declared()},
            {"[time]", "heat", time_keys().declared()},
            {"[initial]", "heat", initial_keys().declared()},
            {"[solver.temperature]", "heat", solver_keys()}};
}

std::vector<Physics::InitialField> HeatPhysics::initial_fields(CaseSettings& settings) const {
    return {{"temperature", {&settings_of<HeatSettings>(settings).initial}, "heat/temperature"}};
}

std::vector<ConditionSummary> HeatPhysics::conditions() const {
    return summaries_of(heat_condition_kinds());
}

std::vector<ConditionPlace> HeatPhysics::conditions_of(const CaseSettings& settings) const {
    std::vector<ConditionPlace> conditions;
    for (const HeatBoundary& b : settings_of<HeatSettings>(settings).boundaries)
        conditions.push_back({b.name, b.place});
    return conditions;
}

void HeatPhysics::with_default(CaseSettings& settings,
                               const std::vector<std::string>& groups) const {
    solenoid::with_default(settings_of<HeatSettings>(settings).boundaries, groups);
}

std::vector<std::string> HeatPhysics::baffles(const CaseSettings& settings) const {
    return baffles_among(settings_of<HeatSettings>(settings).boundaries,
                         [](const HeatCondition& c) { return !c.lets_heat_pass(); });
}

bool HeatPhysics::couples_baffles(const CaseSettings& settings) const {
    return std::ranges::any_of(
        settings_of<HeatSettings>(settings).boundaries,
        [](const HeatBoundary& b) { return b.condition->resistance() != nullptr; });
}

std::vector<SolverSettings*> HeatPhysics::solvers(CaseSettings& settings) const {
    return {&settings_of<HeatSettings>(settings).solver};
}

void HeatPhysics::check(const CaseSettings& settings, const MeshNames& mesh) const {
    const auto& materials = settings_of<HeatSettings>(settings).materials;
    for (const auto& [name, material] : materials)
        if (name != "default" && !contains(mesh.regions, name))
            refuse_unknown(material.place, "material", "region", name, mesh.regions);
    if (materials.contains("default")) return;
    for (const std::string& region : mesh.regions)
        if (!materials.contains(region))
            throw InputError(settings.place,
                             fmt::format("no material for the region \"{}\": add [material.{}] or "
                                         "[material.default] (the mesh has the regions {})",
                                         region, region, enumerated(mesh.regions)));
}

const MaterialSettings& material_of(const HeatSettings& settings, const std::string& region) {
    const auto own = settings.materials.find(region);
    return own != settings.materials.end() ? own->second : settings.materials.at("default");
}

std::vector<MaterialSettings> materials_of(const HeatSettings& settings,
                                           const std::vector<std::string>& regions) {
    std::vector<MaterialSettings> materials;
    for (const std::string& region : regions) materials.push_back(material_of(settings, region));
    return materials;
}

}  // namespace solenoid
