// The tables of a flow case.
#include <fmt/format.h>

#include <algorithm>

#include "case/read_tables.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

FluidSettings read_fluid(const TableReader& table) {
    table.allow({"viscosity", "density", "gravity"});
    FluidSettings fluid;
    fluid.viscosity = table.quantity("viscosity");
    if (fluid.viscosity < 0)
        table.fail("viscosity", fmt::format("must not be negative, found {}", fluid.viscosity));
    if (table.has("density")) {
        table.quantity("density");
        fluid.density = table.positive("density");
    }
    if (table.has("gravity")) fluid.gravity = table.point("gravity");
    fluid.gravity_place = table.place("gravity");
    return fluid;
}

void read_jump_penalty(const TableReader& table, FlowSettings& flow) {
    if (flow.convection != "skew-symmetric") return table.refuse("jump_penalty", "belongs to the convection \"skew-symmetric\"");
    if (!table.has("jump_penalty")) return;
    flow.jump_penalty = table.number("jump_penalty");
    if (!(flow.jump_penalty >= 0 && flow.jump_penalty <= 1)) table.fail("jump_penalty", "must be from 0 to 1");
}

FlowSettings read_method(const TableReader& table) {
    table.allow({"method", "momentum", "convection", "jump_penalty", "time_scheme", "diffusion", "non_orthogonal_corrections", "body_force"});
    FlowSettings flow;
    if (table.has("method")) flow.method = table.choice("method", {"exact", "classical"});
    if (table.has("momentum")) flow.momentum = table.choice("momentum", {"collocated", "rotational", "thesis"});
    if (flow.method == "classical" && flow.momentum != "collocated")
        table.fail("momentum", fmt::format("\"{}\" belongs to the method \"exact\"; the classical one takes \"collocated\"", flow.momentum));
    if (flow.momentum != "collocated") flow.convection = "central";
    if (table.has("convection")) {
        flow.convection = table.choice("convection", {"skew-symmetric", "central", "upwind", "blended"});
        if ((flow.convection == "blended" || flow.convection == "skew-symmetric") && flow.momentum == "thesis")
            table.fail("convection", "must be \"central\" or \"upwind\" with the momentum \"thesis\"");
        if (flow.convection != "central" && flow.momentum == "rotational")
            table.fail("convection", "must be \"central\" with the rotational momentum, which knows no face values");
    }
    read_jump_penalty(table, flow);
    if (table.has("diffusion")) flow.diffusion = table.choice("diffusion", {"implicit", "explicit"});
    if (flow.diffusion == "explicit" && flow.momentum == "collocated")
        table.fail("diffusion", "must be \"implicit\" with the collocated momentum");
    if (table.has("time_scheme")) flow.time_scheme = table.choice("time_scheme", {"bdf2", "midpoint"});
    if (flow.time_scheme == "midpoint" && flow.momentum != "collocated")
        table.fail("time_scheme", fmt::format("\"midpoint\" belongs to the momentum \"collocated\", not to \"{}\"", flow.momentum));
    if (table.has("non_orthogonal_corrections"))
        flow.non_orthogonal_corrections = static_cast<int>(table.integer("non_orthogonal_corrections", 0, 100));
    if (table.has("body_force")) flow.body_force = table.vector_formula("body_force");
    return flow;
}

FlowBoundary read_boundary(const TableReader& table, const std::string& name, const std::vector<ScalarSettings>& scalars, const FlowSettings& flow) {
    const std::vector<FlowConditionKind>& kinds = flow_condition_kinds();
    const FlowConditionKind& kind = read_condition_kind(table, kinds, "heat", heat_condition_kinds(), scalar_keys(scalars));
    return {name, table.place(), kind.name, kind.read(table, flow), read_scalar_conditions(table, scalars)};
}

TimeSettings read_time(const TableReader& table) {
    refuse_keys_of("heat", table, {"tolerance"});
    table.allow({"end", "step", "courant", "steps", "steady_tolerance"});
    TimeSettings time;
    read_end(table, time);
    if (table.has("courant")) time.courant = table.positive("courant");
    if (table.has("steady_tolerance")) time.steady_tolerance = table.number("steady_tolerance");
    if (!(time.steady_tolerance >= 0 && time.steady_tolerance < 1))
        table.fail("steady_tolerance",
                   fmt::format("must be from 0 (never stop) to below 1, found {}", time.steady_tolerance));
    return time;
}

void read_initial(const TableReader& table, CaseSettings& settings) {
    refuse_keys_of("heat", table, {"temperature"});
    table.allow({"velocity", "pressure"});
    if (table.has("velocity") || !table.has("pressure")) settings.initial_velocity = table.vector_formula("velocity");
    if (!table.has("pressure")) return;
    if (settings.flow.method == "exact")
        table.fail("pressure", "belongs to flow.method = \"classical\"; the exact method solves for no pressure: leave it out");
    settings.initial_pressure = table.formula("pressure");
}

void read_solvers(const TableReader& table, CaseSettings& settings) {
    refuse_keys_of("heat", table, {"temperature"});
    table.allow({"stream_function", "pressure", "momentum", "scalar"});
    if (table.has("stream_function"))
        settings.stream_function_solver = read_solver(table.table("stream_function"));
    if (table.has("pressure")) settings.pressure_solver = read_solver(table.table("pressure"));
    if (table.has("momentum")) settings.momentum_solver = read_solver(table.table("momentum"));
    if (table.has("scalar")) settings.scalar_solver = read_solver(table.table("scalar"));
}

}  // namespace

void read_flow(const TableReader& root, CaseSettings& settings) {
    refuse_keys_of("heat", root, {"material"});
    settings.fluid = read_fluid(root.table("fluid"));
    if (root.has("flow")) settings.flow = read_method(root.table("flow"));
    if (!root.has("time")) throw InputError(root.place(), "a flow case needs a table [time]");
    settings.time = read_time(root.table("time"));
    if (root.has("initial")) read_initial(root.table("initial"), settings);
    if (root.has("scalar")) settings.scalars = read_scalars(root.table("scalar"));
    if (!settings.scalars.empty() && settings.flow.momentum != "collocated")
        throw InputError(settings.scalars.front().place,
                         fmt::format("a flow with momentum = \"{}\" carries no scalars: take \"collocated\"", settings.flow.momentum));
    if (root.has("boundary")) {
        const TableReader boundaries = root.table("boundary");
        for (const std::string& name : boundaries.keys())
            if (const TableReader table = boundaries.table(name); !read_periodic(table, name, settings))
                settings.flow_boundaries.push_back(read_boundary(table, name, settings.scalars, settings.flow));
    }
    if (root.has("solver")) read_solvers(root.table("solver"), settings);
}

}  // namespace solenoid
