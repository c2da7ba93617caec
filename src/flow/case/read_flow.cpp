// Reading of the tables of a flow case.
#include <fmt/format.h>

#include <algorithm>

#include "case/named.hpp"
#include "case/read_tables.hpp"
#include "core/error.hpp"
#include "flow/case/flow_physics.hpp"
#include "flow/case/read_scalars.hpp"
#include "flow/case/read_schemes.hpp"
#include "flow/conditions/flow_conditions.hpp"
#include "flow/momentum_kinds.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/viscosity/viscosity_law.hpp"

namespace solenoid {
namespace {

ValueReader<double> positive_quantity() {
    return {"number", [](const TableReader& table, const std::string& key) {
                table.quantity(key);
                return table.positive(key);
            }};
}

const Keys<FluidSettings>& fluid_keys() {
    static const auto keys =
        Keys<FluidSettings>()
            .key("viscosity", &FluidSettings::viscosity, value::not_negative_formula(),
                 "required, but with [viscosity]",
                 "kinematic, ν = μ/ρ [m²/s], of x, y, z, t; positive, or 0 for a fluid without "
                 "friction. Where it varies (collocated momentum only) the stress is ν (∇u + ∇uᵀ)")
            .key("density", &FluidSettings::density, positive_quantity(), "`1`",
                 "ρ [kg/m³]; the velocity does not depend on it")
            .key("gravity", &FluidSettings::gravity, value::point(), "none",
                 "g [m/s²]: acts by the expansion of scalars, see `[scalar.NAME]`")
            .key("sound_speed", &FluidSettings::sound_speed, value::optional(value::positive()),
                 "none",
                 "speed of sound in the fluid [m/s]: a run warns at its end where its largest "
                 "speed was beyond a Mach number of 0.3. Nothing else depends on it")
            .other("regions", "list of strings", "the only one",
                   "regions of the mesh that the fluid fills; the others are left out. Required "
                   "where there are several");
    return keys;
}

const Keys<FlowCase>& time_keys() {
    static const auto keys =
        Keys<FlowCase>()
            .other("end", "number", "required", "time at which to stop [s]")
            .other("step", "number", "by `courant`", "time step [s]")
            .other("courant", "number", "`0.6`",
                   "target Courant number of the steps: the largest over the cells of the flow "
                   "through a cell in a step, divided by its volume; not together with `step`")
            .other("tolerance", "number", "`1e-3`",
                   "tolerance of the local error of a step, between 0 and 1: of the velocity "
                   "relative to its root mean square or the speed of boundaries, of a scalar "
                   "relative to its range, as they are at the time, but at least a twentieth of "
                   "the largest of the run; a tenth of it is the tolerance of the pressure's "
                   "gradient in slow flow. Collocated momentum; not together with `step`")
            .other("first_step", "number", "by `courant` and `tolerance`",
                   "length of the first step [s], shorter where `courant` or `tolerance` demands "
                   "it; not together with `step`")
            .other("largest_step", "number", "none",
                   "no step is longer [s]; not together with `step`")
            .other("steps", "integer", "none",
                   "stop after so many steps, if `end` is not reached before: the status is then "
                   "\"stopped\"")
            .other("retries", "integer", "`8`", retries_help)
            .other("steady_tolerance", "number", "`0`: never",
                   "stop in a steady state: per second, the velocity of each cell changes by at "
                   "most this part of the largest speed, each scalar by this part of its range, "
                   "the pressure's gradient by this part in the mean; below 1. A run that ends "
                   "before says which changes most")
            .one_of({"courant", "step"})
            .one_of({"tolerance", "step"})
            .one_of({"first_step", "step"})
            .one_of({"largest_step", "step"})
            .steerable({"end", "steps", "courant", "largest_step", "steady_tolerance"});
    return keys;
}

const Keys<FlowCase>& initial_keys() {
    static const auto keys =
        Keys<FlowCase>()
            .other(
                "velocity", "vector", "at rest",
                "velocity at the start [m/s], of x, y, z; made divergence-free and consistent with "
                "the boundaries")
            .other("pressure", "formula", "0",
                   "classical method: the pressure at the start [Pa], of x, y, z. The velocity "
                   "determines it; if it is not given, a first step that is repeated finds it. A "
                   "wrong one makes the first steps less accurate. The constant 0 means not given")
            .other("file", "string", "none", help_of_initial_file)
            .other("outside", "string", "`\"refuse\"`", help_of_outside);
    return keys;
}

const std::vector<Key>& solver_keys() {
    static const std::vector<Key> keys = declared_solver_keys(
        "`1e-6` in double, `1e-4` in single precision",
        "largest number of iterations; where more are needed the step, or the run, fails; "
        "rotational and thesis momentum never take more than 200 for a step",
        "`\"multigrid\"`, `\"jacobi\"`, `\"none\"`; `\"automatic\"`: multigrid for the stream "
        "function and the pressure, and for momentum and scalars where the mean diffusion number "
        "exceeds 100; Jacobi elsewhere");
    return keys;
}

const Keys<ViscosityLaw::Limits>& law_keys() {
    std::string types;
    for (const ViscosityLawKind& kind : viscosity_law_kinds())
        types += fmt::format("`\"{}\"`: {}; ", kind.name, kind.help);
    static const auto keys =
        Keys<ViscosityLaw::Limits>()
            .other("type", "string", "required",
                   types + "γ̇ = √(2 S:S) the shear rate [1/s], S the strain rate")
            .key("least", &ViscosityLaw::Limits::least, value::positive(), "required",
                 "least kinematic viscosity [m²/s]")
            .key("largest", &ViscosityLaw::Limits::largest, value::positive(), "required",
                 "largest kinematic viscosity [m²/s]");
    return keys;
}

std::shared_ptr<const ViscosityLaw> read_law(const TableReader& table) {
    const auto& kinds = viscosity_law_kinds();
    std::vector<std::string> known = names_of(law_keys().declared());
    for (const std::string& key : keys_of(kinds)) known.push_back(key);
    table.allow(known);
    const ViscosityLawKind& kind = kind_of(kinds, table.choice("type", names_of(kinds)));
    refuse_keys_of_others(table, kinds, kind);
    const ViscosityLaw::Limits limits = law_keys().read(table);
    if (limits.least > limits.largest)
        table.fail("least", fmt::format("must not exceed `largest`, {}", limits.largest));
    return kind.read(table, limits);
}

FluidSettings read_fluid(const TableReader& root) {
    const TableReader table = root.table("fluid");
    fluid_keys().allow(table);
    FluidSettings fluid = fluid_keys().read(table);
    fluid.gravity_place = table.place("gravity");
    if (fluid.sound_speed) fluid.sound_speed_place = table.place("sound_speed");
    if (table.has("regions")) fluid.regions = {table.texts("regions"), table.place("regions")};
    if (!root.has("viscosity"))
        return (table.has("viscosity") ? fluid : (table.formula("viscosity"), fluid));
    table.refuse("viscosity", "belongs to a fluid without a table [viscosity]");
    fluid.law = read_law(root.table("viscosity"));
    return fluid;
}

// Checks for a viscosity that varies.
void check_viscosity(const TableReader& root, const FlowCase& flow) {
    if (!flow.fluid.law && flow.fluid.viscosity.is_constant()) return;
    const std::string place =
        flow.fluid.law ? root.table("viscosity").place() : flow.fluid.viscosity.place();
    if (!momentum_kind(flow.flow.momentum).bears_varying_viscosity)
        throw InputError(place, fmt::format("the viscosity varies, and momentum = \"{}\" needs a "
                                            "uniform one: take \"collocated\"",
                                            flow.flow.momentum));
}

FlowBoundary read_boundary(const TableReader& table, const std::string& name,
                           const OtherPhysics& others, const FlowCase& flow) {
    const FlowConditionKind& kind =
        read_condition_kind(table, flow_condition_kinds(), others, scalar_keys(flow.scalars));
    FlowBoundary boundary{name, table.place(),
                          kind.read(table, {flow_method(flow.flow.method).solves_for_pressure})};
    boundary.scalars =
        read_scalar_conditions(table, flow.scalars, boundary.condition->lets_through());
    return boundary;
}

void read_time(const TableReader& table, const OtherPhysics& others, CaseSettings& settings,
               FlowCase& flow) {
    others.refuse_keys(table, "[time]");
    time_keys().allow(table);
    read_end(table, settings);
    read_step_control(table, settings);
    TimeSettings& time = settings.time;
    flow.step_tolerance = time.tolerance;
    if (table.has("courant")) flow.courant = table.positive("courant");
    if (table.has("tolerance") && !momentum_kind(flow.flow.momentum).estimates_errors)
        table.fail("tolerance",
                   fmt::format("goes with momentum = \"collocated\"; \"{}\" does not estimate the "
                               "error of its steps: leave it out, or take a smaller courant",
                               flow.flow.momentum));
    if (table.has("steady_tolerance")) time.steady_tolerance = table.number("steady_tolerance");
    if (!(time.steady_tolerance >= 0 && time.steady_tolerance < 1))
        table.fail(
            "steady_tolerance",
            fmt::format("must be from 0 (never stop) to below 1, found {}", time.steady_tolerance));
}

void read_initial(const TableReader& table, const OtherPhysics& others, CaseSettings& settings,
                  FlowCase& flow) {
    others.refuse_keys(table, "[initial]");
    initial_keys().allow(table);
    settings.initial = read_initial_file(table, settings);
    if (table.has("velocity") || !(table.has("pressure") || settings.initial))
        flow.initial_velocity = table.vector_formula("velocity");
    if (!table.has("pressure")) return;
    if (!flow_method(flow.flow.method).solves_for_pressure)
        table.fail("pressure",
                   "belongs to flow.method = \"classical\"; the exact method does not solve for a "
                   "pressure: leave it out");
    flow.initial_pressure = table.formula("pressure");
}

void read_solvers(const TableReader& table, const OtherPhysics& others, FlowSolvers& solvers) {
    others.refuse_keys(table, "[solver]");
    table.allow({"stream_function", "pressure", "momentum", "scalar"});
    if (table.has("stream_function"))
        solvers.stream_function = read_solver(table.table("stream_function"));
    if (table.has("pressure")) solvers.pressure = read_solver(table.table("pressure"));
    if (table.has("momentum")) solvers.momentum = read_solver(table.table("momentum"));
    if (table.has("scalar")) solvers.scalar = read_solver(table.table("scalar"));
}

}  // namespace

void FlowPhysics::read(const TableReader& root, const OtherPhysics& others,
                       CaseSettings& settings) const {
    FlowCase flow;
    flow.fluid = read_fluid(root);
    if (root.has("flow")) flow.flow = read_schemes(root.table("flow"));
    check_viscosity(root, flow);
    if (!root.has("time")) throw InputError(root.place(), "a flow case needs a table [time]");
    read_time(root.table("time"), others, settings, flow);
    if (root.has("initial")) read_initial(root.table("initial"), others, settings, flow);
    if (root.has("scalar")) flow.scalars = read_scalars(root.table("scalar"));
    if (!flow.scalars.empty() && !momentum_kind(flow.flow.momentum).carries_scalars)
        throw InputError(
            flow.scalars.front().place,
            fmt::format("a flow with momentum = \"{}\" carries no scalars: take \"collocated\"",
                        flow.flow.momentum));
    if (root.has("boundary")) {
        const TableReader boundaries = root.table("boundary");
        for (const std::string& name : boundaries.keys()) {
            const TableReader table = boundaries.table(name);
            if (!read_periodic(table, name, settings, true))
                flow.boundaries.push_back(read_boundary(table, name, others, flow));
            else if (table.has("flux") && flow_method(flow.flow.method).solves_for_pressure)
                table.fail("flux",
                           "is imposed by the exact method only: leave it out, or take flow.method "
                           "= \"exact\"");
        }
    }
    if (root.has("solver")) read_solvers(root.table("solver"), others, flow.solvers);
    flow.periodic = settings.periodic;
    settings.own = flow;
}

std::vector<KeyTable> FlowPhysics::key_tables() const {
    std::vector<Key> law = law_keys().declared();
    for (const ViscosityLawKind& kind : viscosity_law_kinds())
        for (const Key& key : kind.keys) law.push_back(key);
    std::vector<KeyTable> tables{{"[fluid]", "flow", fluid_keys().declared()},
                                 {"[viscosity]", "flow", law},
                                 {"[flow]", "flow", flow_keys().declared()},
                                 {"[scalar.NAME]", "flow", scalar_settings_keys()},
                                 {"[time]", "flow", time_keys().declared()},
                                 {"[initial]", "flow", initial_keys().declared()}};
    for (const char* name : {"stream_function", "pressure", "momentum", "scalar"})
        tables.push_back({fmt::format("[solver.{}]", name), "flow", solver_keys()});
    return tables;
}

std::vector<Physics::InitialField> FlowPhysics::initial_fields(CaseSettings& settings) const {
    FlowCase& flow = settings_of<FlowCase>(settings);
    auto& [u, v, w] = flow.initial_velocity;
    std::vector<InitialField> fields{{"velocity", {&u, &v, &w}, "flow/velocity"}};
    if (flow_method(flow.flow.method).solves_for_pressure)
        fields.push_back({"pressure", {&flow.initial_pressure}, ""});
    for (ScalarSettings& scalar : flow.scalars)
        fields.push_back(
            {scalar.name, {&scalar.initial}, "flow/scalar_" + scalar.name + "/values"});
    return fields;
}

std::vector<ConditionSummary> FlowPhysics::conditions() const {
    return summaries_of(flow_condition_kinds());
}

std::vector<ConditionPlace> FlowPhysics::conditions_of(const CaseSettings& settings) const {
    std::vector<ConditionPlace> conditions;
    for (const FlowBoundary& b : settings_of<FlowCase>(settings).boundaries)
        conditions.push_back({b.name, b.place});
    return conditions;
}

RegionChoice FlowPhysics::regions_of(const CaseSettings& settings) const {
    return settings_of<FlowCase>(settings).fluid.regions;
}

void FlowPhysics::close_interfaces(CaseSettings& settings,
                                   const std::vector<std::string>& groups) const {
    for (const std::string& name : groups)
        settings_of<FlowCase>(settings).boundaries.push_back(
            {name, settings.place, wall_at_rest(), {}});
}

void FlowPhysics::with_default(CaseSettings& settings,
                               const std::vector<std::string>& groups) const {
    solenoid::with_default(settings_of<FlowCase>(settings).boundaries, groups);
}

std::vector<std::string> FlowPhysics::baffles(const CaseSettings& settings) const {
    return baffles_among(settings_of<FlowCase>(settings).boundaries,
                         [](const FlowCondition& c) { return !c.lets_through(); });
}

void FlowPhysics::steer(CaseSettings& settings, const CaseSettings& changed) const {
    Physics::steer(settings, changed);
    settings_of<FlowCase>(settings).courant = settings_of<FlowCase>(changed).courant;
}

std::vector<SolverSettings*> FlowPhysics::solvers(CaseSettings& settings) const {
    FlowSolvers& s = settings_of<FlowCase>(settings).solvers;
    return {&s.stream_function, &s.pressure, &s.momentum, &s.scalar};
}

// A group inside the domain that has a condition was slit before or is refused here. In 2D a flow
// has two velocity components.
void FlowPhysics::check(const CaseSettings& settings, const MeshNames& mesh) const {
    const FlowCase& flow = settings_of<FlowCase>(settings);
    if (mesh.regions.size() > 1 && flow.fluid.regions.names.empty())
        throw InputError(settings.place,
                         fmt::format("which of the regions {0} does the fluid fill? Name them: "
                                     "[fluid] regions = [{0}]; those left out are solid",
                                     enumerated(mesh.regions)));
    const auto check_plane = [&](const VectorFormula& vector, const std::string& place,
                                 const std::string& key) {
        const Formula& w = vector[2];
        if (mesh.dimension == 2 && !(w.is_constant() && w(Vec3{0}) == 0))
            throw InputError(
                w.place().empty() ? place : w.place(),
                fmt::format("{} has a third component, and the mesh two dimensions: give two",
                            key));
    };
    const char* const takes =
        "where a flow can have only walls and symmetry, along which the mesh is slit";
    const char* const remedy =
        "slit the mesh there, so that both sides are its boundary (Gmsh: Plugin(Crack))";
    for (const FlowBoundary& boundary : flow.boundaries) {
        if (contains(mesh.inner_groups, boundary.name))
            throw InputError(boundary.place,
                             fmt::format("[boundary.{0}]: \"{0}\" lies inside the domain, {1}: {2}",
                                         boundary.name, takes, remedy));
        if (contains(mesh.partly_inside, boundary.name))
            throw InputError(
                boundary.place,
                fmt::format("[boundary.{0}]: a part of \"{0}\" lies inside the domain, {1}, in a "
                            "table of the group's own: leave it out of the group, or {2}",
                            boundary.name, takes, remedy));
        check_plane(boundary.condition->velocity(), boundary.place,
                    fmt::format("[boundary.{}] velocity", boundary.name));
    }
    check_plane(flow.initial_velocity, settings.place, "[initial] velocity");
    check_plane(flow.flow.body_force, settings.place, "[flow] body_force");
    if (mesh.dimension == 2 && flow.fluid.gravity.z != 0)
        throw InputError(
            flow.fluid.gravity_place,
            "[fluid] gravity has a third component, and the mesh two dimensions: give two");
    for (const PictureSettings& picture : settings.pictures)
        if (mesh.dimension == 3 && picture.field == "stream_function")
            throw InputError(picture.place,
                             "the field \"stream_function\" can be drawn in two dimensions only: "
                             "take \"speed\" or \"vorticity\"");
}

std::vector<std::pair<std::string, std::string>> FlowPhysics::monitor_files(
    const CaseSettings& settings) const {
    std::vector<std::pair<std::string, std::string>> files{
        {"boundaries", "the flows through the boundaries"}, {"flow", "every step's figures"}};
    for (const std::string& scalar : names_of(settings_of<FlowCase>(settings).scalars))
        for (const auto& [file, content] :
             {std::pair(scalar, "the diffusive flows through the boundaries"),
              std::pair(scalar + "_balance", "what passes the boundaries, is made and is stored")})
            files.emplace_back(file, content);
    return files;
}

}  // namespace solenoid
