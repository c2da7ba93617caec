// What is measured of a flow in a reproducible run on several ranks, beside that of one rank that
// has all.
#include <gtest/gtest.h>

#include <cmath>

#include "flow/diagnostics/vorticity.hpp"
#include "support/ducts.hpp"
#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"
#include "support/reproducible.hpp"

namespace solenoid::same_forces_test {
namespace {

using test::vector_formula;

// Moved so that no two cells are alike; the ends stay in place.
SimplexMesh bent(SimplexMesh mesh) {
    return test::moved(std::move(mesh), [](const Vec3& x) {
        return x + Vec3(0.02, 0.013, 0.007) * std::sin(3.1415926535897932 * x.x) *
                       std::cos(3 * x.y + 5 * x.z);
    });
}

FlowCase case_of(const SimplexMesh& mesh, const std::string& in, const std::string& out) {
    FlowCase flow;
    flow.fluid.viscosity = 0.05;
    const auto profile = vector_formula({"4*y*(1-y)*(1+sin(3*t))", "0", "0"});
    for (const std::string& name : mesh.boundaries) {
        const std::string kind = name == "xmin" ? in : name == "xmax" ? out : "wall";
        if (!kind.empty())
            flow.boundaries.push_back(
                test::boundary(name, kind, kind == "wall" ? VectorFormula() : profile));
    }
    flow.initial_velocity = vector_formula({"1", "0.1*x", "0"});
    return flow;
}

void add(const std::vector<BoundaryForce>& forces, std::vector<double>& to) {
    for (const BoundaryForce& f : forces) {
        for (const Vec3& v : {f.pressure, f.friction, f.moment, f.weak, f.weak_moment})
            to.insert(to.end(), {v.x, v.y, v.z});
        to.push_back(f.strength);
    }
}

// The vorticity in the middle of the cell of this number.
std::vector<EntityShare> vorticity_in_cell(const Domain& domain, GlobalIndex cell) {
    const Mesh& m = domain.mesh.mesh;
    std::vector<std::pair<Index, double>> weights;
    for (Index c = 0; c < domain.cells.owned; ++c)
        for (int j = 0; j <= m.dimension && m.cell_number[c] == cell; ++j)
            weights.emplace_back(m.cell_nodes(c, j), 1.0 / (m.dimension + 1));
    return vorticity_shares(m, domain.geometry, weights);
}

// After two steps on these ranks.
std::vector<double> measured(const Communicator& comm, const SimplexMesh& whole,
                             const FlowCase& flow, bool is_reproducible) {
    std::optional<test::Reproducible> reproducible;
    if (is_reproducible) reproducible.emplace();
    const auto device = test::make_device("cpu");
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
    const Domain domain(comm, *device, mesh);
    const auto solver = make_flow_solver<double>(domain, flow);
    std::vector<std::size_t> bodies;
    for (std::size_t b = 0; b < mesh.mesh.boundaries.size(); ++b)
        if (mesh.mesh.boundaries[b] == "body") bodies.push_back(b);
    std::vector<int> points;
    const int sums = domain.dimension == 2 ? 1 : 3;
    for (const GlobalIndex cell : {7, 60, 123})
        points.push_back(solver->watch_velocity(vorticity_in_cell(domain, cell), sums));
    std::vector<double> found;
    for (int n = 0; n < 2; ++n) {
        solver->step(0.02);
        add(solver->boundary_forces(), found);
        add(solver->watched_forces(bodies), found);
        found.push_back(solver->kinetic_energy());
        for (const double inflow : solver->boundary_inflow()) found.push_back(inflow);
        for (const int point : points)
            for (const double w : solver->watched_velocity(point)) found.push_back(w);
    }
    return found;
}

void expect_same_bits(const std::string& name, const SimplexMesh& mesh, const FlowCase& flow) {
    const Communicator world = Communicator::world(), self = Communicator::self();
    const std::vector<double> whole = measured(self, mesh, flow, true),
                              parts = measured(world, mesh, flow, true);
    ASSERT_EQ(whole.size(), parts.size());
    for (std::size_t i = 0; i < whole.size(); ++i)
        EXPECT_EQ(whole[i], parts[i])
            << name << ", number " << i << ", " << whole[i] - parts[i] << " apart";
    if (world.size() == 1) return;
    EXPECT_NE(whole, measured(world, mesh, flow, false)) << name << " tells no cut from another";
}

// Near its edges the weak form counts.
TEST(SameForces, OnABodyWithSharpEdges) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh mesh = bent(test::with_body(dimension, dimension == 2 ? 8 : 4));
        for (const char* method : {"exact", "classical"}) {
            FlowCase flow = case_of(mesh, "inflow", "outflow");
            flow.flow.method = method;
            expect_same_bits(std::to_string(dimension) + "D " + method, mesh, flow);
        }
    }
}

TEST(SameForces, BeforeAConvectiveOutflow) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh mesh = bent(test::with_body(dimension, dimension == 2 ? 8 : 4));
        expect_same_bits(std::to_string(dimension) + "D", mesh,
                         case_of(mesh, "inflow", "convective"));
    }
}

// The body lies on both sides of the border that is crossed.
TEST(SameForces, OnABodyAcrossAPeriodicBorderUnderAnImposedFlux) {
    const Index n = 8;
    const SimplexMesh mesh = test::closed(
        bent(test::duct(2, n,
                        [](const Vec3& low) {
                            return (low.x >= 2 && low.x < 2 * n - 2) || low.y < 3 || low.y >= 5;
                        })),
        "x");
    FlowCase flow = case_of(mesh, "", "");
    flow.periodic.push_back({"xmin", "xmax", "test", Formula("1 + t", "test")});
    expect_same_bits("imposed flux", mesh, flow);
}

}  // namespace
}  // namespace solenoid::same_forces_test
