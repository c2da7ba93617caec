// Flows in which everything changes in time in one way or another, and all that they compute.
#pragma once

#include <toml++/toml.h>

#include <cmath>

#include "flow/viscosity/viscosity_law.hpp"
#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::test {

struct FlowProblem {
    std::string name;
    SimplexMesh mesh;
    FlowCase flow;
    bool integrates = false;  // forces and sources over steps
    int further = 2;          // steps that a test makes behind a load
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
    add("scalar that enters and leaves", closed, [&](FlowProblem& s) {
        change(side(s, "xmin"), "inflow");
        move(side(s, "xmin"), vector_formula({"cos(12*t)*y*(1-y)", "0", "0"}));
        change(side(s, "xmax"), "outflow");
        s.flow.scalars = {changing_scalar("T", "bounded")};
        side(s, "xmin").scalars["T"] = {true, Formula("1+t", "test"), true};
        side(s, "xmax").scalars["T"] = {true, Formula("2-t", "test"), true};
        side(s, top).scalars["T"] = {false, Formula("0.1*(1+t)", "test")};
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

// Further ones, in which all that a step may leave to the next counts.
inline std::vector<FlowProblem> demanding_flows(const FlowSettings& settings, int dimension) {
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
    const auto set_rotation = [&](FlowProblem& s, double speed) {
        s.flow.initial_velocity =
            vector_formula({fmt::format("{}*sin(pi*x)*cos(pi*y)", speed),
                            fmt::format("-{}*cos(pi*x)*sin(pi*y)", speed), "0"});
    };
    add("integrated force", closed, [&](FlowProblem& s) {
        s.flow.flow.body_force = vector_formula({"sin(3*y)*cos(4*t)", "x*t", "0"});
        s.integrates = true;
    });
    add("multigrid of a viscosity of t", closed, [&](FlowProblem& s) {
        set_rotation(s, 1);
        s.flow.fluid.viscosity = Formula("0.02*exp(20*t)", "test");
        s.flow.solvers.momentum.preconditioner = s.flow.solvers.scalar.preconditioner = "multigrid";
        s.flow.scalars = {changing_scalar("T", "central"), changing_scalar("S", "central")};
        side(s, "xmin").scalars["T"] = {true, Formula("cos(7*t)", "test")};
        s.flow.scalars[0].diffusivity = Formula("0.05*exp(20*t)", "test");
        s.flow.scalars[1].diffusivity = Formula("0.05*(1+0.5*sin(5*t))", "test");
        side(s, "xmax").scalars["S"] = {true, Formula(1.0)};
    });
    add("mixed precision", closed, [&](FlowProblem& s) {
        set_rotation(s, 1);
        s.flow.scalars = {changing_scalar("T", "central")};
        s.flow.scalars[0].diffusivity = Formula(0.05);
        s.flow.solvers.scalar.preconditioner = "jacobi";
        s.flow.solvers.scalar.is_mixed = true;
    });
    add("limited scalars", closed, [&](FlowProblem& s) {
        set_rotation(s, 8);
        s.flow.scalars = {changing_scalar("T", "bounded"), changing_scalar("S", "bounded")};
        for (ScalarSettings& one : s.flow.scalars) {
            one.diffusivity = Formula("0.001*(1+0.5*sin(5*t))", "test");
            one.expansion = 0;
        }
        s.flow.scalars[0].initial = Formula("x < 0.5 ? 1 : 0", "test");
        s.flow.scalars[0].source = Formula("5*sin(90*t)", "test");
        side(s, "xmin").scalars["T"] = {true, Formula("0.5+0.1*sin(60*t)", "test")};
        // of a far smaller range at the start
        s.flow.scalars[1].initial = Formula("x < 0.5 ? 1e-9 : 0", "test");
        s.flow.scalars[1].source = Formula(0.0);
        side(s, "xmin").scalars["S"] = {true, Formula("1.5*sin(60*t)", "test")};
    });
    add("stiff diffusion", closed, [&](FlowProblem& s) {
        move(side(s, top), vector_formula({"1", "0", "0"}));
        s.flow.fluid.viscosity = Formula(0.5);
    });
    if (settings.time_scheme == "bdf2") {
        add("slow flow that fades", closed, [&](FlowProblem& s) {
            move(side(s, top), vector_formula({"t < 0.05 ? 1 : 1e-9", "0", "0"}));
            s.flow.fluid.viscosity = Formula(100.0);
            s.further = 6;
        });
        add("slow flow that is not found", closed, [&](FlowProblem& s) {
            move(side(s, top), vector_formula({"sin(6*t)", "0", "0"}));
            s.flow.fluid.viscosity = Formula(20.0);
            s.flow.step_tolerance = 1e-30;
            s.further = 8;  // the pauses between trials grow
        });
    }
    if (settings.method == "classical") {
        add("total pressure", closed, [&](FlowProblem& s) {
            change(press(side(s, "xmin"), Formula("1+sin(5*t)", "test")), "total_pressure");
            press(side(s, "xmax"), Formula(0.0));
        });
        // all nodes of its ends lie on walls
        const SimplexMesh slit = box_mesh(
            {.dimension = dimension, .cells = 24, .high = {1, 0.04, dimension == 2 ? 0.0 : 0.04}});
        add("slit", slit, [&](FlowProblem& s) {
            press(side(s, "xmin"), Formula("1+sin(5*t)", "test"));
            press(side(s, "xmax"), Formula(0.0));
        });
    }
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
        if (s.integrates)
            made->integrate_over([](double from, double to) {
                return std::vector<double>{0.3 * from + 0.7 * to, to};
            });
    }
    // All that is computed and all that a run writes. with_energy: also the budget of the last
    // step, where there is one.
    std::vector<std::vector<double>> results(bool of_step = true) {
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
        if (follows_energy && of_step) {
            const EnergyTerms e = f.energy_terms();
            values.push_back({e.kinetic_energy, e.rate, e.viscous, e.convection, e.jump_penalty,
                              e.coupling, e.time_scheme, e.boundary, e.force});
        }
        values.push_back(f.node_velocity());
        for (int i = 0; i < scalars; ++i) {
            const auto [low, high] = f.scalar_range(i);
            values.insert(values.end(), {f.cell_scalar(i), f.node_scalar(i),
                                         f.scalar_diffused_in(i), std::vector{low, high}});
            if (!of_step) continue;
            const ScalarBalance b = f.scalar_balance(i);
            values.insert(values.end(), {b.convected_in, b.diffused_in,
                                         std::vector{b.source, b.divergence, b.storage}});
        }
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
