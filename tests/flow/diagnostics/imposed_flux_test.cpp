// What an imposed flux takes, its mean gradient, in forces and in the budget of energy: the same as
// the body force that drives the same flow, and on a body the gradient times its own volume more.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "support/flows.hpp"
#include "support/grids.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::imposed_flux_test {
namespace {

using test::tell;
using test::vector_formula;

// Of a box of unit squares or cubes, n a direction, those are taken out for which is_body says so
// of their least corner; closed in some directions. Its sides are "xmin", "xmax" and so on, the
// surfaces of what was taken out "body".
SimplexMesh grid_round(int dimension, Index n, const std::string& directions,
                       const std::function<bool(const Vec3&)>& is_body) {
    const SimplexMesh all = test::grid(dimension, n);
    std::vector<Index> number(all.points.size(), none), cells;
    std::vector<Vec3> points;
    for (std::size_t c = 0; c < all.cell_count(); ++c) {
        Vec3 low(1e9);
        for (int j = 0; j <= dimension; ++j) low = glm::min(low, all.points[all.cell(c)[j]]);
        if (is_body(low)) continue;
        for (int j = 0; j <= dimension; ++j) {
            Index& i = number[all.cell(c)[j]];
            if (i == none) {
                i = static_cast<Index>(points.size());
                points.push_back(all.points[all.cell(c)[j]]);
            }
            cells.push_back(i);
        }
    }
    SimplexMesh mesh = test::simplices(dimension, std::move(points), std::move(cells));
    const auto lies_at = [](const Mesh& m, Index f, int axis, double at) {
        for (int j = 0; j < m.dimension; ++j)
            if (m.points[m.nodes_of(Kind::face, f)[j]][axis] != at) return false;
        return true;
    };
    const auto is_end = [&](const Mesh& m, Index f) {
        return m.face_cells(f, 0) == none || m.face_cells(f, 1) == none;
    };
    for (int k = 0; k < dimension; ++k)
        for (const bool high : {false, true})
            mesh = test::with_group(std::move(mesh),
                                    (std::string(1, "xyz"[k]) + (high ? "max" : "min")).c_str(),
                                    [&](const Mesh& m, Index f) {
                                        return is_end(m, f) && lies_at(m, f, k, high ? n : 0);
                                    });
    mesh = test::with_group(std::move(mesh), "body", [&](const Mesh& m, Index f) {
        if (!is_end(m, f)) return false;
        for (int k = 0; k < dimension; ++k)
            if (lies_at(m, f, k, 0) || lies_at(m, f, k, n)) return false;
        return true;
    });
    return test::closed(std::move(mesh), directions);
}

std::vector<FlowBoundary> walls(const SimplexMesh& mesh, const std::string& closed) {
    std::vector<FlowBoundary> all;
    for (const std::string& name : mesh.boundaries)
        if (closed.find(name[0]) == std::string::npos || name == "body")
            all.push_back(test::boundary(name, "wall"));
    return all;
}

struct Driven {
    Driven(const SimplexMesh& whole, FlowCase flow,
           const Communicator& communicator = Communicator::world())
        : comm(communicator),
          device(test::make_device("cpu")),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh),
          solver(make_flow_solver<double>(domain, flow)) {}
    // Of all boundaries of these names.
    BoundaryForce force(const std::vector<std::string>& names) {
        const auto forces = solver->boundary_forces();
        BoundaryForce sum;
        for (std::size_t g = 0; g < forces.size(); ++g) {
            if (std::find(names.begin(), names.end(), mesh.mesh.boundaries[g]) == names.end())
                continue;
            sum.pressure += forces[g].pressure;
            sum.friction += forces[g].friction;
            sum.moment += forces[g].moment;
            sum.weak += forces[g].weak;
            sum.weak_moment += forces[g].weak_moment;
        }
        return sum;
    }
    void run(int steps, double length) {
        for (int n = 0; n < steps; ++n) solver->step(length);
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    std::unique_ptr<FlowSolver> solver;
};

FlowCase case_of(double viscosity, const std::vector<FlowBoundary>& boundaries) {
    FlowCase flow;
    flow.fluid.viscosity = viscosity;
    flow.boundaries = boundaries;
    flow.initial_velocity = vector_formula({"0", "0", "0"});
    flow.solvers = test::tight();
    flow.step_tolerance = 1e-8;  // of the pressure of slow flow
    return flow;
}

void expect_near(const Vec3& a, const Vec3& b, double error, const char* what) {
    EXPECT_LT(glm::length(a - b), error) << what << ": (" << a.x << ", " << a.y << ", " << a.z
                                         << ") for (" << b.x << ", " << b.y << ", " << b.z << ")";
}

// A flow past a body off the middle, in 3D with a flux in each of two directions. Beside the force
// by the body force -m stands that of a pressure m . x on the body, -m V at its centroid.
TEST(ImposedFlux, IsTheBodyForceAndItsPressureOnBodies) {
    for (const int dimension : {2, 3}) {
        const Index n = dimension == 2 ? 12 : 6;
        const Vec3 low = dimension == 2 ? Vec3(4, 2, 0) : Vec3(2, 1, 1),
                   size = dimension == 2 ? Vec3(3, 4, 1) : Vec3(2, 3, 2);
        const std::string closed = dimension == 2 ? "x" : "xy";
        const auto in_body = [&](const Vec3& x) {
            for (int k = 0; k < dimension; ++k)
                if (x[k] < low[k] || x[k] >= low[k] + size[k]) return false;
            return true;
        };
        const SimplexMesh mesh = grid_round(dimension, n, closed, in_body);
        FlowCase flow = case_of(20, walls(mesh, closed));
        flow.periodic.push_back({"xmax", "xmin", "test", Formula(-3.0)});  // 3 along x
        if (dimension == 3) flow.periodic.push_back({"ymin", "ymax", "test", Formula(1.0)});
        Driven by_flux(mesh, flow);
        by_flux.run(60, 0.5);
        Vec3 mean(0);
        for (const SectionFlow& section : by_flux.solver->cut_surfaces())
            mean[section.from == "xmin" ? 0 : 1] = *section.pressure_rise / n;
        EXPECT_LT(mean.x, 0);
        flow.periodic.clear();
        for (int k = 0; k < 3; ++k) flow.flow.body_force[k] = Formula(-mean[k]);
        Driven by_force(mesh, flow);
        by_force.run(60, 0.5);

        std::vector<std::string> everything;
        for (const FlowBoundary& b : flow.boundaries) everything.push_back(b.name);
        const BoundaryForce with = by_flux.force({"body"}), without = by_force.force({"body"}),
                            all = by_flux.force(everything);
        const double volume = size.x * size.y * size.z, scale = glm::length(with.weak);
        const Vec3 share = -mean * volume,
                   arm = glm::cross(low + 0.5 * (dimension == 2 ? Vec3(size.x, size.y, 0) : size),
                                    share);
        tell(
            "  %dD: mean gradient (%.5f, %.5f), on the body (%.5f, %.5f), by the body force (%.5f, "
            "%.5f)\n",
            dimension, mean.x, mean.y, with.weak.x, with.weak.y, without.weak.x, without.weak.y);
        expect_near(with.pressure, without.pressure + share, 1e-6 * scale, "pressure");
        expect_near(with.friction, without.friction, 1e-6 * scale, "friction");
        expect_near(with.weak, without.weak + share, 1e-6 * scale, "weak");
        expect_near(with.moment, without.moment + arm, 1e-6 * n * scale, "moment");
        expect_near(with.weak_moment, without.weak_moment + arm, 1e-6 * n * scale, "weak moment");
        // All walls bear the fall of pressure times the height. Of the weak form that is the sum
        // over the nodes, but for what their velocities carry.
        EXPECT_NEAR(all.weak.x, -mean.x * std::pow(n, dimension), 2e-3 * all.weak.x);
        const EnergyTerms a = by_flux.solver->energy_terms(), b = by_force.solver->energy_terms();
        for (const auto term : {&EnergyTerms::viscous, &EnergyTerms::coupling, &EnergyTerms::force,
                                &EnergyTerms::boundary})
            EXPECT_NEAR(a.*term, b.*term, 1e-6 * b.viscous);
        EXPECT_LT(std::abs(a.residual()), 1e-9 * a.viscous);
        EXPECT_NEAR(a.force, a.viscous, 0.05 * a.viscous);
    }
}

// The same body, whole in the middle or cut by the periodic sides: the force on it is one and the
// same, and so is all that the walls bear.
TEST(ImposedFlux, DoesNotMindWhereThePeriodBegins) {
    std::vector<BoundaryForce> body;
    for (const Index first : {4, 10}) {
        const SimplexMesh mesh = grid_round(2, 12, "x", [&](const Vec3& x) {
            return std::fmod(x.x - first + 12, 12) < 4 && x.y >= 3 && x.y < 8;
        });
        FlowCase flow = case_of(20, walls(mesh, "x"));
        flow.periodic.push_back({"xmin", "xmax", "test", Formula(3.0)});
        const auto forces = [&](const Communicator& comm) {
            Driven driven(mesh, flow, comm);
            driven.run(40, 0.5);
            const BoundaryForce all = driven.force({"body", "ymin", "ymax"});
            EXPECT_NEAR(all.weak.x, -*driven.solver->cut_surfaces().at(0).pressure_rise * 12,
                        2e-3 * all.weak.x);
            return driven.force({"body"});
        };
        body.push_back(forces(Communicator::self()));
        const BoundaryForce shared = forces(Communicator::world());
        expect_near(shared.pressure, body.back().pressure, 1e-7, "pressure on several ranks");
        expect_near(shared.weak, body.back().weak, 1e-7, "weak on several ranks");
        expect_near(shared.weak_moment, body.back().weak_moment, 1e-6, "moment on several ranks");
    }
    EXPECT_GT(body[0].weak.x, 1);
    expect_near(body[1].pressure, body[0].pressure, 1e-6 * body[0].weak.x, "pressure");
    expect_near(body[1].friction, body[0].friction, 1e-6 * body[0].weak.x, "friction");
    expect_near(body[1].weak, body[0].weak, 1e-6 * body[0].weak.x, "weak");
}

// A flux that changes in time, between plates: what accelerates the fluid and what rubs at the
// walls is the fall of pressure at the end of the step, of second order in the step, whatever the
// time at which the scheme takes the pressure.
TEST(ImposedFlux, DrivesAndAcceleratesInTime) {
    const SimplexMesh mesh = test::closed(test::plain_box(2, 300), "x");
    struct End {
        double missing, rise;
    };
    const auto end_of = [&](const std::string& scheme, int steps) {
        FlowCase flow = case_of(0.5, walls(mesh, "x"));
        flow.flow.time_scheme = scheme;
        flow.periodic.push_back({"xmin", "xmax", "test", Formula("sin(3*t)", "test")});
        Driven driven(mesh, flow);
        driven.solver->boundary_forces();
        driven.run(steps, 1.0 / steps);
        const double accelerates = 3 * std::cos(3.0),
                     rise = *driven.solver->cut_surfaces().at(0).pressure_rise,
                     bears = driven.force({"ymin", "ymax"}).weak.x;
        tell("  %s, %d steps: the walls bear %.5f, the pressure falls by %.5f\n", scheme.c_str(),
             steps, bears, -rise);
        // accelerates: d/dt of the integral of u
        return End{std::abs(bears + accelerates + rise), rise};
    };
    const double right = end_of("bdf2", 200).rise;
    for (const char* scheme : {"bdf2", "midpoint"}) {
        const End coarse = end_of(scheme, 20), fine = end_of(scheme, 40);
        EXPECT_LT(fine.missing, 0.35 * coarse.missing) << scheme;
        if (std::string(scheme) == "midpoint") {
            EXPECT_LT(std::abs(fine.rise - right), 0.35 * std::abs(coarse.rise - right));
        }
    }
}

}  // namespace
}  // namespace solenoid::imposed_flux_test
