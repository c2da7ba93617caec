// The tables of a wave case.
#include <fmt/format.h>

#include "case/named.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"
#include "wave/case/wave_physics.hpp"
#include "wave/time_scheme.hpp"

namespace solenoid {
namespace {

// A formula of x, y, z; as a number it must be positive.
ValueReader<Formula> positive_in_space() {
    return {"formula", [](const TableReader& table, const std::string& key) {
                const Formula formula = table.formula(key);
                if (formula.depends_on_time())
                    table.fail(key, "may depend on x, y and z, not on t");
                if (formula.is_constant() && !(formula(Vec3{0}) > 0))
                    table.fail(key, fmt::format("must be positive, found {}", formula.text()));
                return formula;
            }};
}

const Keys<WaveSettings>& wave_keys() {
    static const auto keys =
        Keys<WaveSettings>()
            .key("speed", &WaveSettings::speed, positive_in_space(), "required",
                 "c [m/s], of x, y, z: √(tension / mass of an area) of a membrane, √(g h) of a "
                 "layer of depth h; positive")
            .key("source", &WaveSettings::source, value::formula(), "`0`",
                 "s, acceleration by a load [m/s²], of x, y, z, t")
            .key("time_scheme", &WaveSettings::time_scheme,
                 value::choice(names_of(wave_time_scheme_kinds())), "`\"leapfrog\"`",
                 described(wave_time_scheme_kinds()) + ". Both second order");
    return keys;
}

const Keys<TimeSettings>& time_keys() {
    static const auto keys =
        Keys<TimeSettings>()
            .other("end", "number", "required", "time at which to stop [s]")
            .other("step", "number",
                   fmt::format("0.9 of the limit; required with `{}`",
                               listed(wave_time_schemes_that_are(false))),
                   fmt::format("time step [s]; beyond the limit of `{}` an error that names it",
                               listed(wave_time_schemes_that_are(true))))
            .other("steps", "integer", "none",
                   "stop after so many steps, if `end` is not reached before: the status is then "
                   "\"stopped\"")
            .other("retries", "integer", "`8`", retries_help)
            .steerable({"end", "steps"});
    return keys;
}

const Keys<WaveCase>& initial_keys() {
    static const auto keys =
        Keys<WaveCase>()
            .key("displacement", &WaveCase::initial_displacement, value::formula(), "`0`",
                 "displacement at the start [m], of x, y, z")
            .key("velocity", &WaveCase::initial_velocity, value::formula(), "`0`",
                 "rate of the displacement at the start [m/s], of x, y, z")
            .other("file", "string", "none", help_of_initial_file)
            .other("outside", "string", "`\"refuse\"`", help_of_outside);
    return keys;
}

const std::vector<Key>& solver_keys() {
    static const std::vector<Key> keys = declared_solver_keys(
        "`1e-10` in double, `1e-5` in single precision",
        "largest number of iterations; where more are needed the step, or the run, fails",
        "`\"multigrid\"`, `\"jacobi\"`, `\"none\"`; `\"automatic\"`: multigrid where the mean of "
        "(c dt / h)² exceeds 100, Jacobi elsewhere. With `[grid]` neither this nor the keys below: "
        "a "
        "cycle of its multigrid");
    return keys;
}

// The scheme that the case names.
const WaveTimeSchemeKind& time_scheme(const WaveSettings& wave) {
    return kind_of(wave_time_scheme_kinds(), wave.time_scheme);
}

WaveBoundary read_boundary(const TableReader& table, const std::string& name,
                           const OtherPhysics& others) {
    const WaveConditionKind& kind = read_condition_kind(table, wave_condition_kinds(), others);
    return {name, table.place(), kind.read(table, {})};
}

void read_time(const TableReader& table, const OtherPhysics& others, const WaveSettings& wave,
               CaseSettings& settings) {
    others.refuse_keys(table, "[time]");
    time_keys().allow(table);
    read_end(table, settings);
    if (!settings.time.step && !time_scheme(wave).is_explicit)
        throw InputError(table.place(),
                         fmt::format("[time] needs the key \"step\" with wave.time_scheme = "
                                     "\"{}\", which has no limit to take it from",
                                     wave.time_scheme));
}

void read_initial(const TableReader& table, const OtherPhysics& others, CaseSettings& settings,
                  WaveCase& wave) {
    others.refuse_keys(table, "[initial]");
    initial_keys().allow(table);
    const WaveCase given = initial_keys().read(table);
    wave.initial_displacement = given.initial_displacement;
    wave.initial_velocity = given.initial_velocity;
    settings.initial = read_initial_file(table, settings);
}

void read_solvers(const TableReader& table, const OtherPhysics& others, bool is_on_grid,
                  WaveCase& wave) {
    others.refuse_keys(table, "[solver]");
    table.allow({"displacement"});
    if (const WaveTimeSchemeKind& kind = time_scheme(wave.wave); kind.is_explicit)
        table.refuse("displacement",
                     fmt::format("belongs to wave.time_scheme = {}: {} solves nothing",
                                 listed(wave_time_schemes_that_are(false)), kind.name));
    if (!table.has("displacement")) return;
    const TableReader displacement = table.table("displacement");
    for (const char* key : {"preconditioner", "levels", "print_hierarchy"})
        if (is_on_grid)
            displacement.refuse(key,
                                "is of unstructured meshes: on a grid a cycle of multigrid on "
                                "all coarser grids precedes each iteration; leave it out");
    wave.solver = read_solver(displacement);
}

}  // namespace

void WavePhysics::read(const TableReader& root, const OtherPhysics& others,
                       CaseSettings& settings) const {
    WaveCase wave;
    const TableReader table = root.table("wave");
    wave_keys().allow(table);
    wave.wave = wave_keys().read(table);
    if (!root.has("time"))
        throw InputError(root.place(),
                         "a wave case needs a table [time]: waves have no steady state to compute");
    read_time(root.table("time"), others, wave.wave, settings);
    if (root.has("initial")) read_initial(root.table("initial"), others, settings, wave);
    if (root.has("boundary")) {
        const TableReader boundaries = root.table("boundary");
        for (const std::string& name : boundaries.keys()) {
            const TableReader boundary = boundaries.table(name);
            if (settings.grid) refuse_periodic_type(boundary);
            if (settings.grid || !read_periodic(boundary, name, settings))
                wave.boundaries.push_back(read_boundary(boundary, name, others));
        }
    }
    if (root.has("solver"))
        read_solvers(root.table("solver"), others, settings.grid.has_value(), wave);
    settings.own = wave;
}

// The shores of land do not absorb. A group inside the domain takes a displacement. The mesh is
// slit along a group that is free by a table of its own, so that it lies on the boundary here.
void WavePhysics::check(const CaseSettings& settings, const MeshNames& mesh) const {
    for (const WaveBoundary& b : settings_of<WaveCase>(settings).boundaries) {
        if (settings.grid && b.name == "land" && b.condition->incident())
            throw InputError(b.place,
                             "[boundary.land]: the shores of land do not absorb waves: give them a "
                             "table [boundary.land] with type = \"free\" or \"fixed\"");
        if ((contains(mesh.inner_groups, b.name) || contains(mesh.partly_inside, b.name)) &&
            !b.condition->displacement())
            throw InputError(
                b.place, fmt::format("[boundary.{0}]: \"{0}\" lies inside the domain, or a part of "
                                     "it, where a displacement can be given (type \"fixed\") or "
                                     "nothing pulls (\"free\", in a table of the group's own: the "
                                     "mesh is slit there)",
                                     b.name));
    }
}

std::vector<ConditionPlace> WavePhysics::conditions_of(const CaseSettings& settings) const {
    std::vector<ConditionPlace> conditions;
    for (const WaveBoundary& b : settings_of<WaveCase>(settings).boundaries)
        conditions.push_back({b.name, b.place});
    return conditions;
}

void WavePhysics::with_default(CaseSettings& settings,
                               const std::vector<std::string>& groups) const {
    solenoid::with_default(settings_of<WaveCase>(settings).boundaries, groups);
}

std::vector<std::string> WavePhysics::baffles(const CaseSettings& settings) const {
    return baffles_among(settings_of<WaveCase>(settings).boundaries,
                         [](const WaveCondition& c) { return !c.displacement(); });
}

std::vector<SolverSettings*> WavePhysics::solvers(CaseSettings& settings) const {
    return {&settings_of<WaveCase>(settings).solver};
}

std::vector<KeyTable> WavePhysics::key_tables() const {
    return {{"[wave]", "wave", wave_keys().declared()},
            {"[time]", "wave", time_keys().declared()},
            {"[initial]", "wave", initial_keys().declared()},
            {"[solver.displacement]", "wave", solver_keys()}};
}

std::vector<Physics::InitialField> WavePhysics::initial_fields(CaseSettings& settings) const {
    WaveCase& wave = settings_of<WaveCase>(settings);
    return {{"displacement", {&wave.initial_displacement}, "wave/displacement"},
            {"velocity", {&wave.initial_velocity}, "wave/velocity"}};
}

std::vector<ConditionSummary> WavePhysics::conditions() const {
    return summaries_of(wave_condition_kinds());
}

}  // namespace solenoid
