// Scalars of "bounded" convection: they stay in the range of their data, keep their integral and
// the order of smooth solutions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "flow/make_flow_solver.hpp"
#include "mesh/box.hpp"
#include "mesh/geometry.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/devices.hpp"

namespace solenoid::bounded_scalar_test {
namespace {

Formula formula(const std::string& text) { return Formula(text, "test"); }
VectorFormula vector_formula(const std::string& x, const std::string& y,
                             const std::string& z = "0") {
    return {formula(x), formula(y), formula(z)};
}

// The square or cube from -1 to 1, cells of different sizes and shapes.
SimplexMesh box(int dimension, std::size_t cells) {
    BoxSettings settings;
    settings.cells = cells;
    settings.dimension = dimension;
    settings.low = Vec3(-1, -1, dimension == 3 ? -1 : 0);
    settings.high = Vec3(1, 1, dimension == 3 ? 1 : 0);
    settings.jitter = 0.16;
    SimplexMesh mesh = box_mesh(settings);
    for (Vec3& x : mesh.points)
        for (int k = 0; k < dimension; ++k) x[k] += 0.2 * std::sin(M_PI * x[k]);
    return mesh;
}

template <class Real>
struct Carried {
    Carried(const SimplexMesh& whole, const FlowCase& flow, const std::string& device_name = "cpu",
            const Communicator& ranks = Communicator::world())
        : comm(ranks),
          device(test::make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh),
          g(domain.geometry),
          solver(make_flow_solver<Real>(domain, flow)) {}

    void step(double dt) {
        solver->step(dt);
        for (const double value : solver->cell_scalar(0)) {
            least = std::min(least, value);
            greatest = std::max(greatest, value);
        }
    }
    // At steps of this Courant number, every other one shorter.
    void run(int steps, double courant) {
        for (int i = 0; i < steps; ++i) step((i % 2 ? 0.8 : 1) * courant / solver->courant(1));
    }
    double integral_of(const std::function<double(double value, const Vec3& x)>& f) const {
        const auto values = solver->cell_scalar(0);
        double sum = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            sum += g.cell_volume[c] * f(values[c], g.cell_centroid[c]);
        return comm.sum(sum);
    }
    double integral() const {
        return integral_of([](double value, const Vec3&) { return value; });
    }
    double error(const Formula& exact) const {
        return std::sqrt(integral_of([&](double value, const Vec3& x) {
            return std::pow(value - exact(x, solver->time()), 2);
        }));
    }
    // The range of all values so far.
    double lowest() const { return comm.min(least); }
    double highest() const { return comm.max(greatest); }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    const Geometry& g;
    std::unique_ptr<FlowSolver> solver;
    double least = HUGE_VAL, greatest = -HUGE_VAL;
};

FlowSolvers solved_to(double tolerance) {
    FlowSolvers solvers;
    solvers.stream_function.tolerance = solvers.pressure.tolerance = solvers.momentum.tolerance =
        solvers.scalar.tolerance = tolerance;
    return solvers;
}

// A fluid that turns like a rigid body about the axis of the box, with a dye of value 0 on all
// sides.
FlowCase turning(const SimplexMesh& mesh, const std::string& dye, double diffusivity) {
    FlowCase flow;
    flow.fluid.viscosity = 0.01;
    flow.initial_velocity = vector_formula("-y", "x");
    flow.solvers = solved_to(1e-6);
    ScalarSettings scalar;
    scalar.name = "dye";
    scalar.diffusivity = diffusivity;
    scalar.initial = formula(dye);
    flow.scalars = {scalar};
    for (const std::string& name : mesh.boundaries) {
        FlowBoundary b = test::boundary(name, "inflow", flow.initial_velocity);
        b.scalars["dye"] = {true, Formula(0.0)};
        flow.boundaries.push_back(b);
    }
    return flow;
}

// Zalesak's disc, 1 in a disc with a slot; in 3D a ball.
const char* const disc = "x^2 + (y - 0.4)^2 + z^2 < 0.12 && (abs(x) > 0.1 || y > 0.5) ? 1 : 0";

template <class Real>
void expect_range(const Carried<Real>& c, double least, double greatest, double margin = 1e-6) {
    EXPECT_GE(c.lowest(), least - margin);
    EXPECT_LE(c.highest(), greatest + margin);
}

TEST(BoundedScalar, ADiscStaysBetweenItsValues) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh mesh = box(dimension, dimension == 2 ? 900 : 3000);
        for (const std::string method : {"exact", "classical"})
            for (const double diffusivity : {0.0, 1e-6, 1e-4}) {
                SCOPED_TRACE(method + " in " + std::to_string(dimension) + "D, diffusivity " +
                             std::to_string(diffusivity));
                FlowCase flow = turning(mesh, disc, diffusivity);
                flow.flow.method = method;
                Carried<double> c(mesh, flow);
                c.run(dimension == 2 ? 40 : 15, 1);
                expect_range(c, 0, 1);
                EXPECT_GT(c.highest(), 0.9) << "nothing to bound";
            }
        FlowCase flow = turning(mesh, disc, 0);
        flow.scalars[0].convection = "central";
        Carried<double> central(mesh, flow);
        central.run(dimension == 2 ? 40 : 15, 1);
        EXPECT_GT(central.highest(), 1.01) << "no test of what bounds";
    }
}

// A dye from the left and from the moving wall below, a vortex that draws fluid in through the
// outflow, an insulated wall above.
FlowCase channel(const SimplexMesh& mesh, double diffusivity) {
    FlowCase flow = turning(mesh, "x < -0.5 && abs(y) < 0.3 ? 1 : 0", diffusivity);
    const std::string bell = "*exp(-20*((x - 0.9)^2 + y^2))";
    flow.initial_velocity = vector_formula("1 - 25*y" + bell, "25*(x - 0.9)" + bell);
    for (FlowBoundary& b : flow.boundaries) {
        test::move(b, vector_formula(b.name == "ymax" ? "0" : "1", "0"));
        b.scalars.clear();
        if (b.name == "xmin") b.scalars["dye"] = {true, formula("abs(y) < 0.3 ? 1 : 0")};
        if (b.name == "ymin") b.scalars["dye"] = {true, formula("x > 0 ? 1 : 0")};
        test::change(b, b.name == "xmin" ? "inflow" : b.name == "xmax" ? "outflow" : "wall");
    }
    return flow;
}

TEST(BoundedScalar, StaysSoAtWallsAndWhereFluidEntersAndLeaves) {
    const SimplexMesh mesh = box(2, 900);
    for (const std::string method : {"exact", "classical"})
        for (const double diffusivity : {0.0, 1e-4, 1e-2}) {
            SCOPED_TRACE(method + ", diffusivity " + std::to_string(diffusivity));
            FlowCase flow = channel(mesh, diffusivity);
            flow.flow.method = method;
            Carried<double> c(mesh, flow);
            double drawn_in = 0;
            const auto fluxes = c.solver->face_flux();
            for (const Side& side : c.mesh.mesh.sides)
                if (c.mesh.mesh.boundaries[side.boundary] == "xmax")
                    drawn_in =
                        std::max(drawn_in, (c.mesh.mesh.face_cells(side.face, 1) == none ? -1 : 1) *
                                               fluxes[side.face]);
            EXPECT_GT(c.comm.max(drawn_in), 0) << "nothing enters through the outflow";
            c.run(60, 1);
            expect_range(c, 0, 1);
            EXPECT_GT(c.highest(), 0.9);
        }
}

// The same with steps longer than an explicit upwind scheme allows.
TEST(BoundedScalar, StaysSoAtLargeCourantNumbers) {
    const SimplexMesh mesh = box(2, 900);
    Carried<double> c(mesh, turning(mesh, disc, 1e-4));
    c.run(20, 3.5);
    expect_range(c, 0, 1);
}

// A lid drives the fluid in a closed box.
FlowCase stirred(const SimplexMesh& mesh, const std::string& dye, double diffusivity) {
    FlowCase flow = turning(mesh, dye, diffusivity);
    flow.initial_velocity = vector_formula("0", "0");
    for (FlowBoundary& b : flow.boundaries) {
        b = test::boundary(b.name, "wall", vector_formula(b.name == "ymax" ? "1 - x^2" : "0", "0"));
    }
    return flow;
}

TEST(BoundedScalar, IsConserved) {
    const SimplexMesh mesh = box(2, 900);
    for (const double diffusivity : {0.0, 1e-4, 1e-2}) {
        Carried<double> c(mesh, stirred(mesh, "x < 0.1 ? 1 : 0", diffusivity));
        const double before = c.integral();
        c.step(0.01);
        c.run(60, 1);
        // what the last solve left
        EXPECT_NEAR(c.integral(), before, 1e-12 + (diffusivity > 0 ? 1e-7 : 0)) << diffusivity;
        expect_range(c, 0, 1);
    }
}

// A fluid at rest, cooled from two sides, by steps of many times what diffusion takes across a
// cell: fluxes that are many times what a cell holds, and cancel, must not pile up in it where its
// neighbours are limited. Of the slowest mode BDF2 leaves less than a quarter in every step.
TEST(BoundedScalar, LongStepsOfDiffusionDecay) {
    for (const std::size_t cells : {60, 400})
        for (const double diffusivity : {0.2, 0.4, 2.0}) {
            SCOPED_TRACE(std::to_string(cells) + " cells, diffusivity " +
                         std::to_string(diffusivity));
            const SimplexMesh mesh = box(2, cells);
            FlowCase flow = stirred(mesh, "0.5", diffusivity);
            flow.solvers = solved_to(1e-10);
            for (FlowBoundary& b : flow.boundaries) {
                b = test::boundary(b.name, "wall", vector_formula("0", "0"));
                if (b.name[0] == 'x') b.scalars["dye"] = {true, Formula(0.0)};
            }
            Carried<double> c(mesh, flow);
            for (int i = 1; i <= 10; ++i) {
                c.greatest = -HUGE_VAL;
                c.step(20);
                EXPECT_LT(c.highest(), 0.5 * std::pow(0.5, i)) << "step " << i;
            }
            expect_range(c, 0, 0.5, 1e-7);
        }
}

// Without a way out the integral stays what it was, and unevenness decays as where nothing is
// limited.
TEST(BoundedScalar, LongStepsOfDiffusionConserve) {
    const SimplexMesh mesh = box(2, 400);
    for (const double dt : {0.2, 5.0}) {
        std::vector<double> uneven;
        for (const std::string convection : {"blended", "bounded"}) {
            FlowCase flow = stirred(mesh, "x < -0.3 && y < 0.2 ? 1 : 0", 0.5);
            flow.solvers = solved_to(1e-10);
            flow.scalars[0].convection = convection;
            for (FlowBoundary& b : flow.boundaries) test::move(b, vector_formula("0", "0"));
            Carried<double> c(mesh, flow);
            const double before = c.integral();
            for (int i = 0; i < 10; ++i) {
                c.step(dt);
                EXPECT_NEAR(c.integral(), before, 1e-8);
            }
            if (convection == "bounded") expect_range(c, 0, 1);
            uneven.push_back(std::sqrt(c.integral_of(
                [&](double value, const Vec3&) { return std::pow(value - before / 4, 2); })));
        }
        EXPECT_LT(uneven[1], 1.2 * uneven[0]) << dt;
    }
}

TEST(BoundedScalar, GainsWhatSourcesAndFluxesBring) {
    const SimplexMesh mesh = box(2, 900);
    FlowCase flow = stirred(mesh, "0", 1e-3);
    flow.solvers = solved_to(1e-10);
    flow.scalars[0].source = formula("x^2 + y^2 < 0.1 ? 2 : 0");
    for (FlowBoundary& b : flow.boundaries)
        if (b.name == "xmin") b.scalars["dye"] = {false, Formula(0.25)};
    Carried<double> c(mesh, flow);
    double made = 0;
    for (Index cell = 0; cell < c.mesh.range(Kind::cell).owned; ++cell)
        made += c.g.cell_volume[cell] * flow.scalars[0].source(c.g.cell_centroid[cell]);
    c.step(0.01);
    c.run(60, 1);
    EXPECT_NEAR(c.integral(), c.solver->time() * (c.comm.sum(made) + 2 * 0.25), 1e-9);
    EXPECT_GT(c.lowest(), -1e-6 * c.highest());
    EXPECT_GT(c.highest(), 0.1);

    for (FlowBoundary& b : flow.boundaries) b.scalars.clear();
    flow.scalars[0].diffusivity = 0;
    Carried<double> alone(mesh, flow);
    alone.step(0.01);
    alone.run(60, 1);
    expect_range(alone, 0, 2 * alone.solver->time());
}

TEST(BoundedScalar, AConstantStaysConstantWhereTheFluxIsNotFreeOfDivergence) {
    const SimplexMesh mesh = box(2, 900);
    for (const char* convection : {"bounded", "central"}) {
        FlowCase flow = stirred(mesh, "3", 1e-4);
        flow.flow.method = "classical";
        flow.solvers = solved_to(1e-3);
        flow.scalars[0].convection = convection;
        Carried<double> c(mesh, flow);
        c.step(0.01);
        c.run(40, 0.7);
        EXPECT_GT(c.solver->max_divergence(), 1e-9) << "no test";
        expect_range(c, 3, 3, 1e-11);
    }
}

TEST(BoundedScalarOrder, OfASmoothHumpWithoutDiffusion) {
    std::vector<double> errors;
    for (const int refined : {0, 1}) {
        BoxSettings settings;
        settings.cells = 1500 << 2 * refined;
        settings.dimension = 2;
        settings.low = Vec3(-1, -1, 0);
        settings.high = Vec3(1, 1, 0);
        const SimplexMesh mesh = box_mesh(settings);
        const Formula exact = formula("exp(-8*((x - 0.2*cos(t))^2 + (y - 0.2*sin(t))^2))");
        FlowCase flow = turning(mesh, "exp(-8*((x - 0.2)^2 + y^2))", 0);
        for (FlowBoundary& b : flow.boundaries) b.scalars["dye"] = {true, exact};
        Carried<double> c(mesh, flow);
        const int steps = 20 << refined;
        for (int i = 0; i < steps; ++i) c.step(0.5 / steps);
        errors.push_back(c.error(exact));
    }
    if (Communicator::world().is_root())
        printf("errors %.2e, %.2e, order %.2f\n", errors[0], errors[1],
               std::log2(errors[0] / errors[1]));
    EXPECT_GT(std::log2(errors[0] / errors[1]), 1.9);
}

TEST(BoundedScalar, IsTheSameOnAnyNumberOfRanks) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh mesh = box(dimension, dimension == 2 ? 900 : 2000);
        FlowCase flow = turning(mesh, disc, 1e-4);
        flow.solvers = solved_to(1e-12);
        Carried<double> whole(mesh, flow, "cpu", Communicator::self()), parts(mesh, flow);
        for (int i = 0; i < 10; ++i) {
            whole.step(0.02);
            parts.step(0.02);
        }
        std::map<GlobalIndex, double> expected;
        const auto values = whole.solver->cell_scalar(0), found = parts.solver->cell_scalar(0);
        for (Index c = 0; c < whole.mesh.range(Kind::cell).owned; ++c)
            expected[whole.mesh.mesh.cell_number[c]] = values[c];
        for (Index c = 0; c < parts.mesh.range(Kind::cell).owned; ++c)
            ASSERT_NEAR(found[c], expected.at(parts.mesh.mesh.cell_number[c]), 1e-9);
    }
}

// What is drawn and written at nodes stays in the range, too.
TEST(BoundedScalar, NodeValuesStayInTheRange) {
    const SimplexMesh mesh = box(2, 900);
    Carried<double> c(mesh, turning(mesh, disc, 0));
    c.run(10, 0.9);
    for (const double value : c.solver->node_scalar(0)) {
        ASSERT_GE(value, 0);
        ASSERT_LE(value, 1);
    }
}

}  // namespace
}  // namespace solenoid::bounded_scalar_test
