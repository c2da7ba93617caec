// Fits in layers of thin cells, in any direction: node values, gradients at walls, and node values
// where a coefficient jumps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/gradient_fit.hpp"
#include "flow/discretization/kinked_nodes.hpp"
#include "flow/thin_meshes.hpp"
#include "support/boundaries.hpp"
#include "support/domain_fields.hpp"
#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::thin_fits_test {
namespace {

using test::Diagonals;

struct Thin {
    explicit Thin(const SimplexMesh& whole)
        : mesh(distribute(Communicator::self(), whole)), g(geometry(mesh.mesh)) {}

    double height(Index cell) const {
        double area = 0;
        for (int j = 0; j <= m.dimension; ++j)
            area = std::max(area, glm::length(g.face_area[entity_of(m.cell_faces(cell, j))]));
        return m.dimension * g.cell_volume[cell] / area;
    }
    bool is_outer(Index face) const {
        return m.face_cells(face, 0) == none || m.face_cells(face, 1) == none;
    }
    std::vector<bool> outer_nodes() const {
        std::vector<bool> outer(m.nodes(), false);
        for (Index f = 0; f < m.faces(); ++f)
            for (int j = 0; j < m.dimension && is_outer(f); ++j)
                outer[m.nodes_of(Kind::face, f)[j]] = true;
        return outer;
    }

    DistributedMesh mesh;
    const Mesh& m = mesh.mesh;
    Geometry g;
};

// Layers with faces across them, and a jittered lattice pressed flat, whose faces are all oblique:
// along an axis and turned.
std::vector<SimplexMesh> layers(int dimension, double aspect) {
    const auto pressed = [&](const Vec3& x) { return Vec3(x.x, x.y / aspect, x.z); };
    std::vector<SimplexMesh> all{
        test::flat_layers(4, aspect, Diagonals::alike, 4, 10),
        test::flat_layers(4, aspect, Diagonals::alternating, 4, 10),
    };
    if (dimension == 3)
        for (SimplexMesh& one : all) one = test::drawn_out(one, 3, 3);
    all.push_back(test::moved(test::plain_box(dimension, dimension == 2 ? 150 : 700), pressed));
    for (std::size_t k = 0; k < 3; ++k) all.push_back(test::turned(all[k], M_PI / 6));
    return all;
}

class ThinFits : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Dimensions, ThinFits, testing::Values(2, 3));

TEST_P(ThinFits, TakeLinearFieldsToNodesExactly) {
    for (const double aspect : {1e2, 1e4, 1e5})
        for (const SimplexMesh& whole : layers(GetParam(), aspect)) {
            const Thin thin(whole);
            const Mesh& m = thin.m;
            const std::vector<bool> outer = thin.outer_nodes();
            const NodeWeights w = node_weights(thin.mesh, thin.g, {});
            int inside = 0;
            for (Index i = 0; i < m.nodes(); ++i) {
                Vec3 place(0);
                double sum = 0, magnitude = 0, height = 1e30;
                for (Index e = w.cells.start[i]; e < w.cells.start[i + 1]; ++e) {
                    const Index c = w.cells.index[e];
                    place += w.weights[e] *
                             (thin.g.cell_centroid[c] - m.corner(c, m.place_in_cell(c, i)));
                    sum += w.weights[e];
                    magnitude += std::abs(w.weights[e]);
                    height = std::min(height, thin.height(c));
                }
                ASSERT_NEAR(sum, 1, 1e-12);
                ASSERT_LE(magnitude, 3 + 1e-9);
                if (outer[i]) continue;
                ASSERT_LT(glm::length(place), 1e-10 * height) << aspect << " at node " << i;
                ++inside;
            }
            EXPECT_GT(inside, 10);
        }
}

// All directions that the faces round a cell have, however oblique these are.
TEST_P(ThinFits, TakeConstantGradientsToWallCellsExactly) {
    for (const double aspect : {1e2, 1e4, 1e5})
        for (const SimplexMesh& whole : layers(GetParam(), aspect)) {
            const Thin thin(whole);
            const Mesh& m = thin.m;
            std::vector<bool> known(m.faces());
            std::vector<Index> cells;
            for (Index f = 0; f < m.faces(); ++f) known[f] = !thin.is_outer(f);
            for (Index c = 0; c < m.cells(); ++c)
                for (int j = 0; j <= m.dimension; ++j)
                    if (!known[entity_of(m.cell_faces(c, j))] &&
                        (cells.empty() || cells.back() != c))
                        cells.push_back(c);
            const GradientFit fit = gradient_fit(thin.mesh, thin.g, cells, known, {});
            for (std::size_t k = 0; k < cells.size(); ++k)
                for (int axis = 0; axis < m.dimension; ++axis) {
                    Vec3 slope(0);
                    slope[axis] = 1;
                    Vec3 found(0);
                    for (Index i = fit.faces.start[k]; i < fit.faces.start[k + 1]; ++i)
                        found +=
                            fit.vectors[i] * glm::dot(thin.g.face_area[fit.faces.index[i]], slope);
                    ASSERT_LT(glm::length(found - slope), 1e-10) << aspect << " in cell " << k;
                }
        }
}

// A coefficient that jumps across the layers, in the middle of them: fields that are linear on both
// sides, with a kink there.
TEST_P(ThinFits, TakeKinksThroughLayersExactly) {
    const double ratio = 0.5, angle = M_PI / 6;
    for (const double aspect : {1e2, 1e4, 1e5}) {
        SimplexMesh whole = test::flat_layers(4, aspect, Diagonals::alternating, 4, 10);
        if (GetParam() == 3) whole = test::drawn_out(whole, 3, 3);
        SimplexMesh axes = whole;  // the points are the axes
        axes.points = {{2, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        axes = test::turned(std::move(axes), angle);
        const Vec3 middle = axes.points[0], across = axes.points[1],
                   slope = 0.7 * axes.points[2] + (GetParam() == 3 ? -0.4 : 0) * axes.points[3];
        whole = test::turned(std::move(whole), angle);
        const Thin thin(whole);
        const auto device = test::make_device("cpu");
        const auto comm = Communicator::self();
        const Domain domain(comm, *device, thin.mesh);
        const FlowBoundaries boundaries(domain, test::on_every_side(whole, "wall", {}));
        const CellStencil<double> stencil(domain, boundaries.faces());
        KinkedNodes<double> kinks(stencil);
        kinks.update_coefficient(sample_coefficient(
            domain,
            Formula(fmt::format("{:.17g}*x + {:.17g}*y + {:.17g}*z > {:.17g} ? {} : 1", across.x,
                                across.y, across.z, glm::dot(across, middle), ratio),
                    "test"),
            0));
        const auto u = test::field_of<double>(domain, Kind::cell, 1, [&](Index c, int) {
            const Vec3 x = thin.g.cell_centroid[c] - middle;
            const double z = glm::dot(across, x);
            return glm::dot(slope, x) + (z > 0 ? z / ratio : z);
        });
        auto at_nodes = domain.field<double>(Kind::node);
        at_nodes.upload(std::vector<double>(at_nodes.size(), NAN));
        kinks.interpolate(u, at_nodes);
        const auto values = at_nodes.download();
        const std::vector<bool> outer = thin.outer_nodes();
        // The normal of a face of length h is known to the rounding of places over h: it turns what
        // is along the layer into 1 / h of that, in units of h.
        const double height = 1 / aspect, tolerance = (1e-10 + 1e-17 * aspect * aspect) * height;
        int on_surface = 0;
        for (Index i = 0; i < domain.nodes.owned; ++i) {
            if (outer[i] || std::isnan(values[i])) continue;
            const Vec3 x = thin.m.points[i] - middle;
            ASSERT_NEAR(glm::dot(across, x), 0, 1e-12);
            ASSERT_NEAR(values[i], glm::dot(slope, x), tolerance) << aspect;
            ++on_surface;
        }
        EXPECT_EQ(on_surface, GetParam() == 2 ? 9 : 18);
    }
}

// What cells do not determine is left out however thin they are. Two of them tell nothing across
// the line through their centroids: their fit is exact along it.
TEST_P(ThinFits, LeaveOutWhatCellsDoNotDetermine) {
    for (const double aspect : {1.0, 1e2, 1e4}) {
        const double height = 1 / aspect;
        const SimplexMesh flat = test::simplices(
            2, {{0, 0, 0}, {1, 0, 0}, {1, height, 0}, {0, height, 0}}, {0, 1, 2, 0, 2, 3});
        SimplexMesh whole =
            GetParam() == 2
                ? flat
                : test::simplices(3,
                                  {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, height}, {1, 1, height}},
                                  {0, 1, 2, 3, 1, 2, 3, 4});
        const Thin thin(test::turned(std::move(whole), M_PI / 6));
        const NodeWeights w = node_weights(thin.mesh, thin.g, {});
        for (Index i = 0; i < thin.m.nodes(); ++i) {
            const Index *c = w.cells.begin(i), count = static_cast<Index>(w.cells.end(i) - c);
            const double* weight = &w.weights[w.cells.start[i]];
            if (count == 1) {
                EXPECT_NEAR(weight[0], 1, 1e-13);
                continue;
            }
            const Vec3 a = thin.g.cell_centroid[c[0]], b = thin.g.cell_centroid[c[1]], line = b - a,
                       to_node = thin.m.corner(c[0], thin.m.place_in_cell(c[0], i)) - a;
            EXPECT_NEAR(weight[0] + weight[1], 1, 1e-13);
            EXPECT_NEAR(weight[1], glm::dot(to_node, line) / glm::dot(line, line), 1e-9) << aspect;
        }
    }
}

}  // namespace
}  // namespace solenoid::thin_fits_test
