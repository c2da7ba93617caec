// Flow on periodic meshes: vortices on a torus, and what drives a channel.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "flow/make_flow_solver.hpp"
#include "mesh/geometry.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/devices.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::periodic_flow_test {
namespace {

VectorFormula vector_formula(const std::vector<std::string>& components) {
    VectorFormula v;
    for (std::size_t k = 0; k < components.size(); ++k) v[k] = Formula(components[k], "test");
    return v;
}

// One period of every direction, from a corner where the vortices are not symmetric.
SimplexMesh torus(int dimension, std::size_t cells) {
    return test::closed(test::plain_box(dimension, cells, Vec3(0.3, 0.1, -0.2), Vec3(2 * M_PI)),
                        dimension == 2 ? "xy" : "xyz");
}

template <class Real>
struct Vortices {
    Vortices(const Communicator& comm, const SimplexMesh& whole, double viscosity,
             const VectorFormula& initial, double tolerance, const std::string& device_name = "cpu",
             const std::vector<FlowBoundary>& boundaries = {}, FlowCase flow = {})
        : comm(comm),
          device(test::make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(this->comm, *device, mesh) {
        FlowSolvers solvers;
        solvers.stream_function.tolerance = solvers.momentum.tolerance = tolerance;
        flow.fluid.viscosity = viscosity;
        flow.boundaries = boundaries;
        flow.initial_velocity = initial;
        flow.solvers = solvers;
        solver = make_flow_solver<Real>(domain, flow);
    }
    double error(const VectorFormula& exact) {
        const auto u = solver->cell_velocity();
        const Geometry g = geometry(mesh.mesh);
        const std::size_t n = mesh.range(Kind::cell).all;
        double square = 0, size = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            for (int k = 0; k < mesh.mesh.dimension; ++k) {
                const double e = exact[k](g.cell_centroid[c], solver->time());
                square += g.cell_volume[c] * std::pow(u[k * n + c] - e, 2);
                size += g.cell_volume[c] * e * e;
            }
        return std::sqrt(comm.sum(square) / comm.sum(size));
    }
    // Velocities by cell number, a component after the other, on every rank.
    std::vector<double> by_number() {
        const auto u = solver->cell_velocity();
        const auto all = static_cast<std::size_t>(mesh.global_count[3]),
                   n = std::size_t(mesh.range(Kind::cell).all);
        std::vector<double> values(all * mesh.mesh.dimension, 0.0);
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            for (int k = 0; k < mesh.mesh.dimension; ++k)
                values[k * all + mesh.mesh.cell_number[c]] = u[k * n + c];
        comm.sum(values);
        return values;
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    std::unique_ptr<FlowSolver> solver;
};

const auto planar = vector_formula({"-cos(x)*sin(y)*exp(-0.02*t)", "sin(x)*cos(y)*exp(-0.02*t)"});

TEST(PeriodicFlow, TaylorGreenDecaysAtSecondOrder) {
    std::vector<double> errors, cells;
    int steps = 20;
    for (std::size_t count : {1000, 4000, 16000}) {
        const SimplexMesh mesh = torus(2, count);
        Vortices<double> flow(Communicator::world(), mesh, 0.01, planar, 1e-8);
        for (int n = 0; n < steps; ++n) {
            flow.solver->step(2.0 / steps);
            EXPECT_LT(flow.solver->max_divergence(), 1e-13);
        }
        errors.push_back(flow.error(planar));
        cells.push_back(double(mesh.cell_count()));
        if (flow.comm.is_root())
            printf("  Taylor-Green on a torus, %6.0f triangles: error %.3e\n", cells.back(),
                   errors.back());
        steps *= 2;
    }
    EXPECT_GE(2 * std::log(errors.front() / errors.back()) / std::log(cells.back() / cells.front()),
              1.9);
}

// The ABC flow, its own curl: convection is a gradient, and it decays as exp(-nu t) (Arnold 1965).
TEST(PeriodicFlow, BeltramiFlowDecaysAtSecondOrder) {
    const auto exact =
        vector_formula({"(sin(z)+cos(y))*exp(-0.05*t)", "(sin(x)+cos(z))*exp(-0.05*t)",
                        "(sin(y)+cos(x))*exp(-0.05*t)"});
    std::vector<double> errors, cells;
    int steps = 6;
    for (std::size_t count : {3000, 24000}) {
        const SimplexMesh mesh = torus(3, count);
        Vortices<double> flow(Communicator::world(), mesh, 0.05, exact, 1e-6);
        for (int n = 0; n < steps; ++n) flow.solver->step(0.5 / steps);
        EXPECT_LT(flow.solver->max_divergence(), 1e-13);
        errors.push_back(flow.error(exact));
        cells.push_back(double(mesh.cell_count()));
        if (flow.comm.is_root())
            printf("  Beltrami flow on a torus, %6.0f tets: error %.3e\n", cells.back(),
                   errors.back());
        steps *= 2;
    }
    EXPECT_GE(3 * std::log(errors.front() / errors.back()) / std::log(cells.back() / cells.front()),
              1.9);
}

// Walls above and below, closed along x: a shear layer with vortices, cut anywhere, on any device.
TEST(PeriodicFlow, TheAnswerDoesNotDependOnCutOrDevice) {
    const SimplexMesh channel = test::closed(test::plain_box(2, 700, Vec3(0), Vec3(2, 1, 1)), "x");
    const auto initial = vector_formula(
        {"-2*pi*cos(pi*x+0.4)*sin(pi*y)*cos(pi*y)", "-pi*sin(pi*x+0.4)*sin(pi*y)^2"});
    std::vector<FlowBoundary> walls;
    for (const char* name : {"ymin", "ymax"}) walls.push_back(test::boundary(name, "wall"));
    struct Case {
        SimplexMesh mesh;
        std::vector<FlowBoundary> boundaries;
        VectorFormula initial;
    };
    for (const Case& c : {Case{channel, walls, initial}, Case{torus(2, 700), {}, planar}}) {
        const auto run = [&](auto real, const Communicator& comm, const std::string& device) {
            using Real = decltype(real);
            Vortices<Real> flow(comm, c.mesh, 0.01, c.initial,
                                std::is_same_v<Real, double> ? 1e-12 : 1e-5, device, c.boundaries);
            for (int n = 0; n < 10; ++n) {
                flow.solver->step(0.01);
                EXPECT_LT(flow.solver->max_divergence(), sizeof(Real) == 8 ? 1e-13 : 1e-5)
                    << device;
            }
            return flow.by_number();
        };
        const auto reference = run(double(), Communicator::self(), "cpu");
        double largest = 0;
        for (const double value : reference) largest = std::max(largest, std::abs(value));
        EXPECT_GT(largest, 0.5);
        for (const std::string& device : test::devices_on(Communicator::world().size())) {
            const auto doubles = run(double(), Communicator::world(), device),
                       floats = run(float(), Communicator::world(), device);
            for (std::size_t i = 0; i < reference.size(); ++i) {
                ASSERT_NEAR(doubles[i], reference[i], 1e-9) << device;
                ASSERT_NEAR(floats[i], reference[i], 1e-3) << device;
            }
        }
    }
}

// Between two plates, driven by a body force or by an imposed flux: Poiseuille's parabola, and the
// pressure that it takes.
TEST(PeriodicFlow, PoiseuilleDrivenByForceAndByFlux) {
    const double nu = 0.5;
    const auto exact = vector_formula({"6*y*(1-y)", "0"});  // flux 1, force 12 nu
    for (bool by_flux : {false, true}) {
        std::vector<double> errors, cells;
        SimplexMesh open = test::plain_box(2, 150);
        for (int level = 0; level < 3; ++level) {
            if (level > 0) open = test::quartered(open);
            const SimplexMesh mesh = test::closed(open, "x");
            const std::vector<FlowBoundary> walls{
                test::boundary("ymin", "wall", vector_formula({"0", "0"})),
                test::boundary("ymax", "wall", vector_formula({"0", "0"}))};
            FlowCase driven;
            if (by_flux)
                driven.periodic = {{"xmax", "xmin", "test", Formula(-1.0)}};
            else
                driven.flow.body_force = vector_formula({"6", "0"});
            Vortices<double> flow(Communicator::world(), mesh, nu, vector_formula({"0", "0"}), 1e-8,
                                  "cpu", walls, driven);
            for (int n = 0; n < 30; ++n) {
                flow.solver->step(0.1);
                EXPECT_LT(flow.solver->max_divergence(), 1e-13);
                if (by_flux) {
                    EXPECT_NEAR(flow.solver->cut_surfaces().at(0).flux, 1, 1e-12);
                }
            }
            const SectionFlow section = flow.solver->cut_surfaces().at(0);
            EXPECT_EQ(section.from, "xmin");
            errors.push_back(flow.error(exact));
            cells.push_back(mesh.cell_count());
            if (flow.comm.is_root())
                printf("  Poiseuille %5.0f triangles: error %.3e, flux %.5f, pressure rise %.4f\n",
                       cells.back(), errors.back(), section.flux,
                       section.pressure_rise.value_or(0));
            EXPECT_EQ(section.pressure_rise.has_value(), by_flux);
            if (by_flux) {
                EXPECT_NEAR(*section.pressure_rise, -12 * nu, 12 * nu * 20 / cells.back());
            } else {
                EXPECT_NEAR(section.flux, 1, 20 / cells.back());
            }
        }
        EXPECT_GE(
            2 * std::log(errors.front() / errors.back()) / std::log(cells.back() / cells.front()),
            1.9);
    }
}

// The constant that no boundary fixes is the one that does not depend on the cut.
TEST(PeriodicFlow, StreamFunctionHasTheMeanZero) {
    for (const char* method : {"exact", "classical"}) {
        FlowCase flow;
        flow.flow.method = method;
        Vortices<double> v(Communicator::world(), torus(2, 700), 0.01, planar, 1e-10, "cpu", {},
                           flow);
        v.solver->step(0.01);
        const auto s = v.solver->stream_function();
        double sum = 0, largest = 0;
        for (Index i = 0; i < v.mesh.range(Kind::node).owned; ++i) {
            sum += s[i];
            largest = std::max(largest, std::abs(s[i]));
        }
        EXPECT_LT(std::abs(v.comm.sum(sum)), 1e-12 * v.mesh.global_count[0]) << method;
        EXPECT_NEAR(v.comm.max(largest), 1, 0.05) << method;  // cos x cos y
    }
}

// A flow without rotation: what is to be solved for is the rounding of positions, on finer meshes
// the more.
template <class Real>
void expect_uniform(const SimplexMesh& whole, const std::string& method,
                    const std::string& momentum,
                    double most = std::is_same_v<Real, double> ? 1e-12 : 1e-5) {
    FlowCase flow;
    flow.flow.method = method;
    flow.flow.momentum = momentum;
    if (momentum != "collocated") flow.flow.convection = "central";
    const auto uniform = vector_formula({"1", "-0.5", "0"});
    Vortices<Real> v(Communicator::world(), whole, 0.01, uniform,
                     std::is_same_v<Real, double> ? 1e-6 : 1e-4, "cpu", {}, flow);
    for (int n = 0; n < 3; ++n) v.solver->step(0.01);
    EXPECT_LT(v.error(uniform), most) << method << " " << momentum;
    const auto s = v.solver->stream_function();
    EXPECT_TRUE(std::all_of(s.begin(), s.end(), [](double value) { return std::isfinite(value); }));
}

TEST(PeriodicFlow, AUniformFlowStays) {
    for (const std::size_t cells : {100, 500, 8000}) {
        const SimplexMesh plane = test::closed(test::plain_box(2, cells), "xy");
        for (const char* method : {"exact", "classical"}) {
            expect_uniform<double>(plane, method, "collocated");
            expect_uniform<float>(plane, method, "collocated");
        }
        expect_uniform<double>(plane, "exact", "rotational");
    }
    const SimplexMesh far = test::closed(test::plain_box(2, 500, Vec3(1000, -2000, 0)), "xy"),
                      space = test::closed(test::plain_box(3, 1500), "xyz");
    for (const char* method : {"exact", "classical"}) {
        // positions are rounded two thousand times as much
        expect_uniform<double>(far, method, "collocated", 1e-10);
        expect_uniform<double>(space, method, "collocated");
    }
}

}  // namespace
}  // namespace solenoid::periodic_flow_test
