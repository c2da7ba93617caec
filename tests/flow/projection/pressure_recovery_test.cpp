// The pressure at nodes: the gradient's fit, what is exact. (Orders:
// pressure_recovery_order_test; ranks and devices: flow_devices_test.)
#include "flow/projection/pressure_recovery.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "flow/discretization/gradient_fit.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::pressure_recovery_test {
namespace {

using test::Flow;
using test::tell;
using test::vector_formula;

// The fit alone, in the cells at a box's sides from all faces but those: exact for parabolas, of
// second order for others.
double error_of_fit(int dimension, std::size_t cells,
                    const std::function<Vec3(const Vec3&)>& gradient) {
    const auto comm = Communicator::world();
    const DistributedMesh mesh = distribute(
        comm, comm.is_root() ? std::optional(box_mesh({.dimension = dimension, .cells = cells}))
                             : std::nullopt);
    const Mesh& m = mesh.mesh;
    const Geometry g = geometry(m);
    std::vector<bool> known(m.faces(), true);
    for (const Side& side : m.sides) known[side.face] = false;
    std::vector<Index> outer;
    for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
        for (int j = 0; j <= dimension; ++j)
            if (!known[entity_of(m.cell_faces(c, j))] && (outer.empty() || outer.back() != c))
                outer.push_back(c);
    const GradientFit fit = gradient_fit(mesh, g, outer, known);
    double largest = 0;
    for (std::size_t k = 0; k < outer.size(); ++k) {
        Vec3 q = -gradient(g.cell_centroid[outer[k]]);
        for (Index i = fit.faces.start[k]; i < fit.faces.start[k + 1]; ++i) {
            const Index f = fit.faces.index[i];
            q += fit.vectors[i] * glm::dot(g.face_area[f], gradient(g.face_centroid[f]));
        }
        largest = std::max(largest, glm::length(q));
    }
    return comm.max(largest);
}

TEST(GradientFit, IsExactForParabolasAndOfSecondOrder) {
    for (const int dimension : {2, 3}) {
        const double z = dimension == 3;
        EXPECT_LT(error_of_fit(dimension, 300, [&](const Vec3&) { return Vec3(1, -2, 3 * z); }),
                  1e-12);
        EXPECT_LT(error_of_fit(dimension, 600,
                               [&](const Vec3& x) {
                                   return Vec3(2 * x.x - x.y, 3 * x.y - x.x + x.z, (x.y - x.z) * z);
                               }),
                  1e-11);
        std::vector<double> errors;
        for (const std::size_t cells : {dimension == 2 ? 500 : 3000, dimension == 2 ? 2000 : 24000})
            errors.push_back(error_of_fit(dimension, cells, [&](const Vec3& x) {
                return Vec3(std::cos(x.x) * std::sin(x.y), std::sin(x.x) * std::cos(x.y),
                            z * std::sin(x.z));
            }));
        tell("  %dD: error of the fit %.2e, %.2e\n", dimension, errors[0], errors[1]);
        EXPECT_GT(std::log2(errors[0] / errors[1]), 1.6) << dimension;
    }
}

// No face round a cell alone between boundaries tells anything.
TEST(GradientFit, OfACellAloneIsEmpty) {
    const SimplexMesh whole = test::plain_box(2, 2);
    const DistributedMesh mesh = distribute(Communicator::self(), whole);
    const GradientFit fit =
        gradient_fit(mesh, geometry(mesh.mesh), {0}, std::vector<bool>(mesh.mesh.faces(), false));
    EXPECT_TRUE(fit.faces.index.empty());
    EXPECT_EQ(fit.faces.start.size(), 2u);
}

// From the face gradients of a linear p, none known on the walls: p but for its mean.
TEST(Pressure, LinearIsExact) {
    for (const int dimension : {2, 3})
        for (const std::string& name : test::devices_on(Communicator::world().size())) {
            const auto comm = Communicator::world();
            const auto device = test::make_device(name);
            const SimplexMesh whole = box_mesh({.dimension = dimension, .cells = 300});
            const DistributedMesh mesh =
                distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
            const Mesh& m = mesh.mesh;
            const Domain domain(comm, *device, mesh);
            const Geometry& g = domain.geometry;
            std::vector<FlowBoundary> walls;
            for (const std::string& side : whole.boundaries)
                walls.push_back(test::boundary(side, "wall"));
            const FlowBoundaries boundaries(domain, walls);
            PressureRecovery<double> recovery(domain, OpenPressure(domain, boundaries, 1),
                                              boundaries.prescribed(),
                                              {.stop = {.tolerance = 1e-12}});
            const Vec3 slope(0.5, -2, dimension == 3);
            std::vector<double> values(m.faces());
            for (Index f = 0; f < m.faces(); ++f)
                values[f] = boundaries.prescribed()[f] ? 0 : glm::dot(slope, g.face_area[f]);
            auto gradient = domain.field<double>(Kind::face);
            gradient.upload(values);
            const auto p = recovery.solve(gradient, 0).download();
            for (Index i = 0; i < mesh.range(Kind::node).owned; ++i)
                EXPECT_NEAR(p[i],
                            glm::dot(slope, m.points[i] - Vec3(0.5, 0.5, dimension == 3 ? 0.5 : 0)),
                            1e-9)
                    << name;
        }
}

}  // namespace
}  // namespace solenoid::pressure_recovery_test
