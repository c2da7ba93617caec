// Steps that are taken back: what comes after has the bits of a run that never made them. And the
// errors that tell which.
#include <gtest/gtest.h>

#include <cmath>

#include "flow/viscosity/viscosity_law.hpp"
#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid {
namespace {

struct Problem {
    std::string name;
    SimplexMesh mesh;
    FlowCase flow;
};

Problem problem(const std::string& name, const SimplexMesh& mesh, const FlowSettings& settings) {
    Problem made{name, mesh, {}};
    made.flow.fluid.viscosity = Formula(0.02);
    made.flow.flow = settings;
    made.flow.initial_velocity = test::vector_formula({"0", "0", "0"});
    for (const std::string& side : mesh.boundaries)
        made.flow.boundaries.push_back(test::boundary(side, "wall"));
    return made;
}

SimplexMesh box(int dimension) {
    return box_mesh({.dimension = dimension,
                     .cells = dimension == 2 ? 150u : 400u,
                     .high = {1, 1, dimension == 2 ? 0.0 : 1.0}});
}

FlowBoundary& side(Problem& s, const std::string& name) {
    return *std::ranges::find(s.flow.boundaries, name, &FlowBoundary::name);
}

ScalarSettings scalar(const std::string& name, const std::string& convection) {
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
std::vector<Problem> all(const FlowSettings& settings, int dimension) {
    std::vector<Problem> made;
    const auto add = [&](const std::string& name, const SimplexMesh& mesh,
                         const std::function<void(Problem&)>& change) {
        made.push_back(problem(
            fmt::format("{}, {}, {}, {}D", name, settings.method, settings.time_scheme, dimension),
            mesh, settings));
        change(made.back());
    };
    const SimplexMesh closed = box(dimension);
    const std::string top = dimension == 2 ? "ymax" : "zmax";
    add("lid", closed, [&](Problem& s) {
        test::move(side(s, top), test::vector_formula({"sin(6*t)", "0", "0"}));
    });
    add("multigrid", closed, [&](Problem& s) {
        test::move(side(s, top), test::vector_formula({"1", "0", "0"}));
        s.flow.solvers.momentum.preconditioner = s.flow.solvers.scalar.preconditioner = "multigrid";
        s.flow.scalars.push_back(scalar("T", "central"));
    });
    for (const char* outlet : {"outflow", "convective"})
        add(outlet, closed, [&](Problem& s) {
            test::change(side(s, "xmin"), "inflow");
            test::move(side(s, "xmin"), test::vector_formula({"(1+sin(5*t))*y*(1-y)", "0", "0"}));
            test::change(side(s, "xmax"), outlet);
        });
    if (settings.method == "classical")
        add("pressures", closed, [&](Problem& s) {
            test::press(side(s, "xmin"), Formula("1+sin(5*t)", "test"));
            test::press(side(s, "xmax"), Formula(0.0));
        });
    add("body force", closed, [&](Problem& s) {
        s.flow.flow.body_force = test::vector_formula({"sin(3*y)*cos(4*t)", "x*t", "0"});
    });
    for (const char* convection : {"bounded", "central"})
        add(std::string("scalar, ") + convection, closed, [&](Problem& s) {
            s.flow.fluid.gravity = {0, -9, 0};
            s.flow.scalars = {scalar("T", convection), scalar("S", convection)};
            side(s, "xmin").scalars["T"] = {true, Formula("cos(7*t)", "test")};
            test::move(side(s, top), test::vector_formula({"3", "0", "0"}));
        });
    add("viscosity of t", closed, [&](Problem& s) {
        test::move(side(s, top), test::vector_formula({"1", "0", "0"}));
        // doubles in a step that is taken back
        s.flow.fluid.viscosity = Formula("0.02*exp(6*t)", "test");
    });
    add("shear thinning", closed, [&](Problem& s) {
        test::move(side(s, top), test::vector_formula({"1+5*t", "0", "0"}));
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
        test::closed(test::plain_box(dimension, dimension == 2 ? 150 : 400), "x");
    const auto pair = [&](Problem& s) {
        std::erase_if(s.flow.boundaries,
                      [](const FlowBoundary& b) { return b.name == "xmin" || b.name == "xmax"; });
    };
    add("torus", periodic, [&](Problem& s) {
        pair(s);
        s.flow.flow.body_force = test::vector_formula({"cos(4*t)", "0", "0"});
    });
    if (settings.method == "exact")
        add("imposed flux", periodic, [&](Problem& s) {
            pair(s);
            s.flow.periodic = {{"xmin", "xmax", "test", Formula("exp(-50*(t-0.25)^2)", "test")}};
        });
    return made;
}

struct Running {
    explicit Running(const Problem& s)
        : comm(Communicator::world()),
          device(test::make_device("cpu")),
          mesh(distribute(comm, comm.is_root() ? std::optional(s.mesh) : std::nullopt)),
          domain(comm, *device, mesh),
          made(make_flow_solver<double>(domain, s.flow)),
          scalars(static_cast<int>(s.flow.scalars.size())),
          follows_energy(s.flow.flow.time_scheme == "bdf2") {
        made->follow_errors();
    }
    // All that is computed and all that a run writes.
    std::vector<std::vector<double>> state() {
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
        if (follows_energy) {
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

class TakeBack : public testing::TestWithParam<std::tuple<const char*, const char*, int>> {};
INSTANTIATE_TEST_SUITE_P(All, TakeBack,
                         testing::Combine(testing::Values("exact", "classical"),
                                          testing::Values("bdf2", "midpoint"),
                                          testing::Values(2, 3)),
                         [](const auto& info) {
                             return fmt::format("{}_{}_{}D", std::get<0>(info.param),
                                                std::get<1>(info.param), std::get<2>(info.param));
                         });

// The first step, one in between and one behind a jump of data are tried with other lengths first,
// once with a second step that is taken back by itself.
TEST_P(TakeBack, LeavesNothing) {
    const auto& [method, time_scheme, dimension] = GetParam();
    FlowSettings settings;
    settings.method = method;
    settings.time_scheme = time_scheme;
    for (const Problem& s : all(settings, dimension)) {
        Running never(s), tried(s);
        const double length = 0.02;
        for (int n = 0; n < 9; ++n) {
            SCOPED_TRACE(fmt::format("{}, step {}", s.name, n));
            for (Running* one : {&never, &tried})
                if (n == 5) one->made->restart();
            const double next = length * (n % 3 == 2 ? 1.1 : 1);
            tried.made->keep_state();
            if (n != 1 && n != 7) {
                tried.made->step(4 * length);
                tried.made->keep_state();
                tried.made->step(length);
                tried.made->take_back();
                if (n == 3) tried.made->step(0.3 * length);
                tried.made->take_back();
                tried.made->keep_state();
                tried.made->step(0.2 * length);
                tried.made->take_back();
                tried.made->keep_state();
            }
            tried.made->step(next);
            tried.made->let_go();
            never.made->step(next);
            const auto expected = never.state(), found = tried.state();
            ASSERT_EQ(expected.size(), found.size());
            for (std::size_t k = 0; k < found.size(); ++k) {
                ASSERT_EQ(expected[k].size(), found[k].size());
                double apart = 0;
                for (std::size_t i = 0; i < found[k].size(); ++i) {
                    const double difference = std::abs(found[k][i] - expected[k][i]);
                    if (found[k][i] != expected[k][i])
                        apart = std::isfinite(difference) ? std::max(apart, difference) : HUGE_VAL;
                }
                EXPECT_EQ(apart, 0) << "list " << k;
            }
            if (HasFailure()) break;
        }
    }
}

// A fluid at rest, and a pulse of whatever drives it that a step has run into: nothing is left of
// it, not even a rounding.
TEST_P(TakeBack, LeavesAFluidAtRest) {
    const auto& [method, time_scheme, dimension] = GetParam();
    FlowSettings settings;
    settings.method = method;
    settings.time_scheme = time_scheme;
    const std::string bell = "exp(-3*(t-40)^2)";  // less than the least number at 0
    const SimplexMesh periodic =
        test::closed(test::plain_box(dimension, dimension == 2 ? 150 : 400), "x");
    std::vector<Problem> pulses;
    for (const char* name : {"wall", "body force", "imposed flux"}) {
        if (name == std::string("imposed flux") && settings.method == "classical") continue;
        Problem s = problem(name, periodic, settings);
        std::erase_if(s.flow.boundaries,
                      [](const FlowBoundary& b) { return b.name == "xmin" || b.name == "xmax"; });
        if (name == std::string("wall"))
            test::move(side(s, "ymax"), test::vector_formula({bell, "0", "0"}));
        if (name == std::string("body force"))
            s.flow.flow.body_force = test::vector_formula({bell, "0", "0"});
        if (name == std::string("imposed flux"))
            s.flow.periodic = {{"xmin", "xmax", "test", Formula(bell, "test")}};
        pulses.push_back(s);
    }
    for (const Problem& s : pulses) {
        SCOPED_TRACE(s.name);
        Running flow(s);
        flow.made->keep_state();
        flow.made->step(40);
        EXPECT_GT(flow.made->largest_speed(), 1e-3);
        flow.made->take_back();
        flow.made->step(1);
        flow.made->step(1);
        EXPECT_EQ(flow.made->largest_speed(), 0);
        EXPECT_EQ(flow.made->kinetic_energy(), 0);
    }
}

// The error that the solver tells of a step of a stream between slipping sides that a uniform force
// accelerates, and of a uniform scalar with a source: polynomials of time, whose third and second
// derivatives are those of the case. BDF2 sees the force at the end of its step, as implicit
// methods do.
TEST(TimeErrors, AreThoseOfPolynomials) {
    for (const char* time_scheme : {"bdf2", "midpoint"}) {
        FlowSettings settings;
        settings.time_scheme = time_scheme;
        Problem s = problem("stream", test::closed(test::plain_box(2, 60), "x"), settings);
        s.flow.boundaries.clear();
        for (const char* name : {"ymin", "ymax"})
            s.flow.boundaries.push_back(test::boundary(name, "symmetry"));
        s.flow.flow.body_force = test::vector_formula({"3*t^2", "0", "0"});  // u = t^3
        ScalarSettings t;
        t.name = "T";
        t.convection = "central";
        t.source = Formula("12*t^2", "test");  // T = 4 t^3
        s.flow.scalars.push_back(t);
        s.flow.solvers = test::tight();
        s.flow.solvers.scalar.tolerance = 1e-11;
        Running flow(s);
        double before = 0.1, dt = 0.1;
        for (int n = 0; n < 11; ++n, before = dt, dt *= 1.05) {
            const double u = flow.made->cell_velocity()[0];
            flow.made->step(dt);
            const auto errors = flow.made->step_errors();
            ASSERT_EQ(bool(errors), n > 0);
            if (!errors) continue;
            EXPECT_EQ(errors->order, n == 1 ? 1 : 2);
            if (n < 6) continue;
            // From the third derivatives, 6 and 24, by the method's constants; the states differ
            // from the polynomials by earlier errors, which are of another order in the
            // differences.
            const double w = dt / before, bdf2 = dt * (1 + w) / (1 + 2 * w) * dt * (dt + before),
                         expected = settings.time_scheme == "bdf2" ? bdf2 : dt * dt * dt / 2;
            EXPECT_NEAR(errors->velocity, expected, 0.35 * expected)
                << time_scheme << ", step " << n;
            EXPECT_NEAR(errors->scalars[0], 4 * bdf2, 0.35 * 4 * bdf2)
                << time_scheme << ", step " << n;
            EXPECT_GT(flow.made->cell_velocity()[0], u);
        }
    }
}

}  // namespace
}  // namespace solenoid
