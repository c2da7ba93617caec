// Scalars carried by a flow: orders against a manufactured solution, conservation,
// buoyancy. (Ranks and devices: flow_devices_test.)
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "flow/make_flow_solver.hpp"
#include "mesh/box.hpp"
#include "mesh/geometry.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/devices.hpp"

namespace solenoid::scalar_test {
namespace {

VectorFormula vector_formula(const std::string& x, const std::string& y) {
    return {Formula(x, "test"), Formula(y, "test"), Formula(0.0)};
}

SimplexMesh square(std::size_t cells) {
    BoxSettings box;
    box.cells = cells;
    box.dimension = 2;
    box.high.z = 0;
    return box_mesh(box);
}

template <class Real>
struct Carried {
    Carried(const SimplexMesh& whole, const FlowCase& flow, const std::string& device_name = "cpu")
        : comm(Communicator::world()),
          device(test::make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh),
          g(domain.geometry),
          solver(make_flow_solver<Real>(domain, flow)) {}

    void run(double end, int steps) {
        for (int i = 0; i < steps; ++i) solver->step(end / steps);
    }
    double integral() const {
        const auto values = solver->cell_scalar(0);
        double sum = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            sum += g.cell_volume[c] * values[c];
        return comm.sum(sum);
    }
    // Root mean square over the cells, less `exact` at their centroids.
    double error(const Formula& exact) const {
        const auto values = solver->cell_scalar(0);
        double square = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            square += g.cell_volume[c] *
                      std::pow(values[c] - exact(g.cell_centroid[c], solver->time()), 2);
        return std::sqrt(comm.sum(square));
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    const Geometry& g;
    std::unique_ptr<FlowSolver> solver;
};

FlowSolvers tight(double tolerance = 1e-10) {
    FlowSolvers solvers;
    solvers.stream_function.tolerance = solvers.momentum.tolerance = solvers.scalar.tolerance =
        tolerance;
    return solvers;
}

const char* const exact_scalar = "sin(2*x + y - t)";

// The fluid turns like a rigid body about the origin, an exact solution; T = sin(2 x + y - t) with
// its source, given on all sides. With a flux, diffusivity dT/dy, that is what enters through the
// top, and the fluid rests between walls.
FlowCase manufactured(const SimplexMesh& mesh, const std::string& diffusivity = "0.05",
                      const std::string& source = "0.25*sin(2*x + y - t)",
                      const std::string& flux = "") {
    const bool rests = !flux.empty();
    const Formula exact(exact_scalar, "test");
    FlowCase flow;
    flow.fluid.viscosity = 0.1;
    if (!rests) flow.initial_velocity = vector_formula("-y", "x");
    flow.solvers = tight();
    ScalarSettings scalar;
    scalar.name = "temperature";
    scalar.diffusivity = Formula(diffusivity, "test");
    scalar.initial = exact;
    scalar.source = Formula(
        std::string(rests ? "-" : "(-1 - 2*y + x)*") + "cos(2*x + y - t) + " + source, "test");
    flow.scalars = {scalar};
    for (const std::string& name : mesh.boundaries) {
        FlowBoundary b = test::boundary(name, rests ? "wall" : "inflow", flow.initial_velocity);
        b.scalars["temperature"] = {true, exact};
        if (name == "ymax" && rests) b.scalars["temperature"] = {false, Formula(flux, "test")};
        flow.boundaries.push_back(b);
    }
    return flow;
}

template <class CaseOf>
void expect_second_order(const std::string& name, const CaseOf& case_of, bool integrates = false) {
    const std::vector<std::size_t> sizes{600, 2400};
    std::vector<double> errors;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const SimplexMesh mesh = square(sizes[i]);
        Carried<double> c(mesh, case_of(mesh));
        if (integrates)
            c.solver->integrate_over([](double, double to) { return std::vector<double>{to}; });
        c.run(0.4, 10 << i);
        errors.push_back(c.error(Formula(exact_scalar, "test")));
        if (c.comm.is_root())
            printf("%s, %zu triangles: error %.3e\n", name.c_str(), sizes[i], errors.back());
    }
    EXPECT_GT(std::log2(errors[0] / errors[1]), 1.9) << name;
}

TEST(ScalarOrder, SecondInSpaceAndTime) {
    for (const std::string convection : {"central", "upwind", "blended", "bounded"})
        expect_second_order(convection, [&](const SimplexMesh& mesh) {
            FlowCase flow = manufactured(mesh);
            flow.scalars[0].convection = convection;
            return flow;
        });
}

// The source has grad(diffusivity) . grad T too.
TEST(ScalarOrder, OfADiffusivityOfPlaceAndTime) {
    const std::string diffusivity = "0.05*(1 + 0.8*sin(3*x + 2*y + 4*t))";
    const std::string source =
        diffusivity + "*5*sin(2*x + y - t) - 0.32*cos(3*x + 2*y + 4*t)*cos(2*x + y - t)";
    for (const std::string& flux : {std::string(), diffusivity + "*cos(2*x + y - t)"})
        expect_second_order(flux.empty() ? "given" : "flux on top", [&](const SimplexMesh& mesh) {
            return manufactured(mesh, diffusivity, source, flux);
        });
}

TEST(ScalarOrder, OfASourceAndAFluxIntegratedOverSteps) {
    for (const std::string convection : {"central", "bounded"})
        expect_second_order(
            convection + ", integrated",
            [&](const SimplexMesh& mesh) {
                FlowCase flow =
                    manufactured(mesh, "0.05", "0.25*sin(2*x + y - t)", "0.05*cos(2*x + y - t)");
                flow.scalars[0].convection = convection;
                return flow;
            },
            true);
}

// A lid drives the fluid; the walls are insulated, but for the bottom through which a given flux
// enters.
FlowCase stirred(const SimplexMesh& mesh, double flux) {
    FlowCase flow;
    flow.fluid.viscosity = 0.01;
    flow.solvers = tight();
    ScalarSettings scalar;
    scalar.name = "dye";
    scalar.diffusivity = 0.002;
    scalar.initial = Formula("x < 0.5 ? 1 : 0", "test");
    flow.scalars = {scalar};
    for (const std::string& name : mesh.boundaries) {
        FlowBoundary b =
            test::boundary(name, "wall", vector_formula(name == "ymax" ? "1" : "0", "0"));
        if (name == "ymin") b.scalars["dye"] = {false, Formula(flux)};
        flow.boundaries.push_back(b);
    }
    return flow;
}

TEST(Scalar, IsConservedAndGainsWhatEnters) {
    const SimplexMesh mesh = square(1000);
    Carried<double> c(mesh, stirred(mesh, 0.25));
    const double before = c.integral();
    c.run(0.5, 50);
    EXPECT_NEAR(c.integral() - before, 0.25 * 0.5, 1e-9);
    const auto entering = c.solver->scalar_diffused_in(0);
    double sum = 0;
    for (const double value : entering) sum += value;
    EXPECT_NEAR(sum, 0.25, 1e-12);
}

TEST(Scalar, AConstantStaysConstant) {
    const SimplexMesh mesh = square(600);
    FlowCase flow = stirred(mesh, 0);
    flow.scalars[0].initial = Formula(3.0);
    Carried<double> c(mesh, flow);
    c.run(0.5, 20);
    for (const double value : c.solver->cell_scalar(0)) EXPECT_NEAR(value, 3.0, 1e-12);
    for (const double value : c.solver->node_scalar(0)) ASSERT_NEAR(value, 3.0, 1e-12);
}

// It is carried out through an outlet as it came in.
TEST(Scalar, AConstantStaysConstantOnItsWayThrough) {
    const SimplexMesh mesh = square(600);
    FlowCase flow = stirred(mesh, 0);
    flow.initial_velocity = vector_formula("1", "0");
    flow.scalars[0].initial = Formula(3.0);
    flow.boundaries.clear();
    for (const std::string& name : mesh.boundaries) {
        FlowBoundary b = test::boundary(name,
                                        name == "xmin"   ? "inflow"
                                        : name == "xmax" ? "outflow"
                                                         : "symmetry",
                                        vector_formula("1", "0"));
        if (name == "xmin") b.scalars["dye"] = {true, Formula(3.0)};
        flow.boundaries.push_back(b);
    }
    for (const char* convection : {"central", "blended", "bounded"}) {
        flow.scalars[0].convection = convection;
        Carried<double> c(mesh, flow);
        c.run(0.5, 20);
        for (const double value : c.solver->cell_scalar(0))
            ASSERT_NEAR(value, 3.0, 1e-9) << convection;
        for (const double value : c.solver->node_scalar(0))
            ASSERT_NEAR(value, 3.0, 1e-9) << convection;
    }
}

// Near the steady state, and where the values are large beside their differences, a step changes
// less than a loose tolerance of the whole: it must count all the same.
TEST(Scalar, ALooseToleranceLosesNoSlowChange) {
    const SimplexMesh mesh = square(400);
    const auto run = [&](double tolerance) {
        FlowCase flow = stirred(mesh, 0);
        flow.solvers.scalar.tolerance = tolerance;
        flow.scalars[0].diffusivity = 0.1;
        flow.scalars[0].initial = Formula(300.0);
        flow.scalars[0].source = Formula("2*x", "test");
        for (auto& b : flow.boundaries)
            if (b.name == "ymin" || b.name == "ymax")
                b.scalars["dye"] = {true, Formula(b.name == "ymin" ? 300.0 : 301.0)};
        Carried<double> c(mesh, flow);
        c.run(10, 200);
        return c.solver->cell_scalar(0);
    };
    const auto expected = run(1e-10), loose = run(1e-2);
    const auto [lowest, highest] = std::minmax_element(expected.begin(), expected.end());
    const double range = Communicator::world().max(*highest) + Communicator::world().max(-*lowest);
    EXPECT_GT(range, 1);
    for (std::size_t i = 0; i < loose.size(); ++i) ASSERT_NEAR(loose[i], expected[i], 1e-3 * range);
}

// The root mean square speed that heavy fluid below light, at rest between walls, gets of the
// discretisation.
double spurious_speed(std::size_t cells, const std::string& stratified, const std::string& method) {
    const SimplexMesh mesh = square(cells);
    FlowCase flow = stirred(mesh, 0);
    for (auto& b : flow.boundaries) test::move(b, vector_formula("0", "0"));
    flow.fluid.gravity = {0, -10, 0};
    flow.flow.method = method;
    flow.scalars[0].initial = Formula(stratified, "test");
    flow.scalars[0].expansion = 1;
    flow.scalars[0].diffusivity = 0;
    Carried<double> c(mesh, flow);
    c.run(0.2, 20);
    return std::sqrt(2 * c.solver->kinetic_energy());
}

// Buoyancy is a gradient then, which moves nothing: what moves vanishes with the mesh, with the
// third power of its size. Of a linear scalar the exact method bears all.
TEST(Buoyancy, OfStableStratificationRests) {
    for (const std::string method : {"exact", "classical"}) {
        const double linear = spurious_speed(800, "y", method),
                     coarse = spurious_speed(800, "y + sin(4*y)/5", method),
                     fine = spurious_speed(3200, "y + sin(4*y)/5", method);
        if (Communicator::world().is_root())
            printf("%s: spurious speed %.2e; %.2e, %.2e\n", method.c_str(), linear, coarse, fine);
        EXPECT_LT(linear, method == "exact" ? 1e-9 : 1e-5) << "of sqrt(g L) = 3.2";
        EXPECT_LT(coarse, 2e-4);
        EXPECT_GT(coarse / fine, 4);
    }
}

}  // namespace
}  // namespace solenoid::scalar_test
