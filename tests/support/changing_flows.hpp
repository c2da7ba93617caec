// Flows in which everything changes in time in one way or another, and all that they compute.
#pragma once

#include <cmath>

#include "flow/viscosity/viscosity_law.hpp"
#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::test {

struct FlowProblem {
    std::string name;
    SimplexMesh mesh;
    FlowCase flow;
};

inline FlowProblem problem(const std::string& name, const SimplexMesh& mesh,
                           const FlowSettings& settings) {
    FlowProblem made{name, mesh, {}};
    made.flow.fluid.viscosity = Formula(0.02);
    made.flow.flow = settings;
    made.flow.initial_velocity = vector_formula({"0", "0", "0"});
    for (const std::string& side : mesh.boundaries)
        made.flow.boundaries.push_back(boundary(side, "wall"));
    return made;
}

inline SimplexMesh unit_box(int dimension) {
    return box_mesh({.dimension = dimension,
                     .cells = dimension == 2 ? 150u : 400u,
                     .high = {1, 1, dimension == 2 ? 0.0 : 1.0}});
}

inline FlowBoundary& side(FlowProblem& s, const std::string& name) {
    return *std::ranges::find(s.flow.boundaries, name, &FlowBoundary::name);
}

inline ScalarSettings changing_scalar(const std::string& name, const std::string& convection) {
    ScalarSettings s;
    s.name = name;
    s.convection = convection;
    s.diffusivity = Formula("0.01*(1+0.5*sin(5*t))", "test");
    s.initial = Formula("y", "test");
    s.source = Formula("exp(-30*(t-0.2)^2)", "test");
    s.expansion = 0.1;
    return s;
}

// Everything that changes in time in one way or another, by every method and scheme that takes it.
inline std::vector<FlowProblem> changing_flows(const FlowSettings& settings, int dimension) {
    std::vector<FlowProblem> made;
    const auto add = [&](const std::string& name, const SimplexMesh& mesh,
                         const std::function<void(FlowProblem&)>& change) {
        made.push_back(problem(
            fmt::format("{}, {}, {}, {}D", name, settings.method, settings.time_scheme, dimension),
            mesh, settings));
        change(made.back());
    };
    const SimplexMesh closed = unit_box(dimension);
    const std::string top = dimension == 2 ? "ymax" : "zmax";
    add("lid", closed, [&](FlowProblem& s) {
        move(side(s, top), vector_formula({"sin(6*t)", "0", "0"}));
    });
    add("multigrid", closed, [&](FlowProblem& s) {
        move(side(s, top), vector_formula({"1", "0", "0"}));
        s.flow.solvers.momentum.preconditioner = s.flow.solvers.scalar.preconditioner = "multigrid";
        s.flow.scalars.push_back(changing_scalar("T", "central"));
    });
    for (const char* outlet : {"outflow", "convective"})
        add(outlet, closed, [&](FlowProblem& s) {
            change(side(s, "xmin"), "inflow");
            move(side(s, "xmin"), vector_formula({"(1+sin(5*t))*y*(1-y)", "0", "0"}));
            change(side(s, "xmax"), outlet);
        });
    if (settings.method == "classical")
        add("pressures", closed, [&](FlowProblem& s) {
            press(side(s, "xmin"), Formula("1+sin(5*t)", "test"));
            press(side(s, "xmax"), Formula(0.0));
        });
    add("body force", closed, [&](FlowProblem& s) {
        s.flow.flow.body_force = vector_formula({"sin(3*y)*cos(4*t)", "x*t", "0"});
    });
    for (const char* convection : {"bounded", "central"})
        add(std::string("scalar, ") + convection, closed, [&](FlowProblem& s) {
            s.flow.fluid.gravity = {0, -9, 0};
            s.flow.scalars = {changing_scalar("T", convection), changing_scalar("S", convection)};
            side(s, "xmin").scalars["T"] = {true, Formula("cos(7*t)", "test")};
            move(side(s, top), vector_formula({"3", "0", "0"}));
        });
    add("viscosity of t", closed, [&](FlowProblem& s) {
        move(side(s, top), vector_formula({"1", "0", "0"}));
        // doubles in a step that is taken back
        s.flow.fluid.viscosity = Formula("0.02*exp(6*t)", "test");
    });
    add("shear thinning", closed, [&](FlowProblem& s) {
        move(side(s, top), vector_formula({"1+5*t", "0", "0"}));
        const toml::table table{{"type", "power_law"},
                                {"least", 1e-3},
                                {"largest", 1.0},
                                {"consistency", 0.02},
                                {"index", 0.6}};
        const auto& kinds = viscosity_law_kinds();
        s.flow.fluid.law = kind_of(kinds, "power_law")
                               .read(TableReader(table, "[viscosity]", "test"), {1e-3, 1.0});
    });
    const SimplexMesh periodic =
        test::closed(plain_box(dimension, dimension == 2 ? 150 : 400), "x");
    const auto pair = [&](FlowProblem& s) {
        std::erase_if(s.flow.boundaries,
                      [](const FlowBoundary& b) { return b.name == "xmin" || b.name == "xmax"; });
    };
    add("torus", periodic, [&](FlowProblem& s) {
        pair(s);
        s.flow.flow.body_force = vector_formula({"cos(4*t)", "0", "0"});
    });
    if (settings.method == "exact")
        add("imposed flux", periodic, [&](FlowProblem& s) {
            pair(s);
            s.flow.periodic = {{"xmin", "xmax", "test", Formula("exp(-50*(t-0.25)^2)", "test")}};
        });
    return made;
}

struct RunningFlow {
    explicit RunningFlow(const FlowProblem& s, const Communicator& ranks = Communicator::world())
        : comm(ranks),
          device(make_device("cpu")),
          mesh(distribute(comm, comm.is_root() ? std::optional(s.mesh) : std::nullopt)),
          domain(comm, *device, mesh),
          made(make_flow_solver<double>(domain, s.flow)),
          scalars(static_cast<int>(s.flow.scalars.size())),
          follows_energy(s.flow.flow.time_scheme == "bdf2") {
        made->follow_errors();
    }
    // All that is computed and all that a run writes. with_energy: also the budget of the last
    // step, where there is one.
    std::vector<std::vector<double>> results(bool with_energy = true) {
        FlowSolver& f = *made;
        std::vector<std::vector<double>> values{
            f.cell_velocity(),
            f.face_flux(),
            f.stream_function(),
            f.node_pressure(),
            {f.time(), f.courant(1), f.rate_of_change(), f.largest_speed(), f.held_cells()}};
        for (const BoundaryForce& force : f.boundary_forces())
            for (const Vec3& part :
                 {force.pressure, force.friction, force.moment, force.weak, force.weak_moment})
                values.push_back({part.x, part.y, part.z});
        if (follows_energy && with_energy) {
            const EnergyTerms e = f.energy_terms();
            values.push_back({e.kinetic_energy, e.rate, e.viscous, e.convection, e.jump_penalty,
                              e.coupling, e.time_scheme, e.boundary, e.force});
        }
        for (int i = 0; i < scalars; ++i) values.push_back(f.cell_scalar(i));
        for (const SectionFlow& section : f.cut_surfaces())
            values.push_back({section.flux, section.pressure_rise.value_or(0)});
        const std::optional<StepErrors> errors = f.step_errors();
        values.push_back({errors ? errors->velocity : -1});
        if (errors) values.push_back(errors->scalars);
        return values;
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    std::unique_ptr<FlowSolver> made;
    int scalars;
    const bool follows_energy;
};

}  // namespace solenoid::test
