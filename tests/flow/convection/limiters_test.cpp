// The limiters of slopes and fluxes by what defines them: bounds that hold, and nothing cut where
// nothing is to be cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "flow/convection/flux_limiter.hpp"
#include "flow/convection/slope_limiter.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/domain_fields.hpp"
#include "support/momentum_bench.hpp"

namespace solenoid::limiters_test {
namespace {

struct Box {
    Box(const Communicator& on, int dimension)
        : comm(on),
          device(test::make_device("cpu")),
          mesh(distribute(comm, whole(dimension))),
          domain(comm, *device, mesh),
          boundaries(domain, test::everywhere(dimension, "wall", {"0", "0", "0"})),
          stencil(domain, boundaries.faces()) {}
    std::optional<SimplexMesh> whole(int dimension) const {
        if (!comm.is_root()) return std::nullopt;
        return box_mesh({.dimension = dimension, .cells = 300, .jitter = 0.1});
    }
    Field<double> field(Kind kind, int columns, const std::function<double(Index, int)>& f) const {
        return test::field_of<double>(domain, kind, columns, f);
    }
    double random(Kind kind, Index i, std::uint64_t seed) const {
        return test::random_value(test::key_of(mesh.mesh, kind, i), seed);
    }
    Index cells() const { return domain.cells.owned; }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    FlowBoundaries boundaries;
    CellStencil<double> stencil;
};

// Round a node inside lie cells on all sides, and at the boundary its own value counts.
TEST(SlopeLimiter, LeavesWhatIsLinear) {
    for (const int dimension : {2, 3}) {
        const Box b(Communicator::world(), dimension);
        const Vec3 slope[] = {{1, -2, 0.5}, {-0.3, 0.2, 2}, {0, 1, 1}};
        const auto u = b.field(Kind::cell, dimension, [&](Index c, int k) {
            return glm::dot(slope[k], b.domain.geometry.cell_centroid[c]);
        });
        const auto t = b.field(Kind::node, dimension, [&](Index i, int k) {
            return glm::dot(slope[k], b.mesh.mesh.points[i]);
        });
        SlopeLimiter<double> limiter(b.domain, b.boundaries, b.stencil, dimension);
        const Buffer<double>& limit = limiter.limits(u, t);
        const auto values = limit.download();
        for (int k = 0; k < dimension; ++k)
            for (Index c = 0; c < b.cells(); ++c)
                EXPECT_NEAR(values[std::size_t(k) * limit.size() + c], 1, 1e-12) << dimension;
    }
}

// With it no node's value leaves the range of the cells round that node (on the boundary of its
// own, too); with more of the slope one does, or the limit is 1.
TEST(SlopeLimiter, IsTheLargestThatKeepsTheRange) {
    for (const int dimension : {2, 3}) {
        const Box b(Communicator::self(), dimension);
        const Mesh& m = b.mesh.mesh;
        const auto u_of = [&](Index c) { return b.random(Kind::cell, c, 5); };
        const auto t_of = [&](Index i) { return b.random(Kind::node, i, 6); };
        SlopeLimiter<double> limiter(b.domain, b.boundaries, b.stencil, 1);
        const auto limit =
            limiter
                .limits(b.field(Kind::cell, 1, [&](Index c, int) { return u_of(c); }),
                        b.field(Kind::node, 1, [&](Index i, int) { return t_of(i); }))
                .download();
        std::vector<double> least(m.nodes(), 1e9), largest(m.nodes(), -1e9);
        const auto count = [&](Index node, double value) {
            least[node] = std::min(least[node], value);
            largest[node] = std::max(largest[node], value);
        };
        for (Index c = 0; c < m.cells(); ++c)
            for (int j = 0; j <= dimension; ++j) count(m.nodes_of(Kind::cell, c)[j], u_of(c));
        for (const Side& side : m.sides)
            for (int j = 0; j < dimension; ++j) {
                const Index node = m.nodes_of(Kind::face, side.face)[j];
                count(node, t_of(node));
            }
        int limited = 0;
        for (Index c = 0; c < m.cells(); ++c) {
            double mean = 0, room = 1e9;  // what is left to the nearest bound, over the slope
            for (int j = 0; j <= dimension; ++j)
                mean += t_of(m.nodes_of(Kind::cell, c)[j]) / (dimension + 1);
            for (int j = 0; j <= dimension; ++j) {
                const Index node = m.nodes_of(Kind::cell, c)[j];
                const double rise = t_of(node) - mean, value = u_of(c) + limit[c] * rise;
                EXPECT_LE(value, largest[node] + 1e-14);
                EXPECT_GE(value, least[node] - 1e-14);
                room = std::min(room, (rise > 0 ? largest[node] - value : value - least[node]) /
                                          std::abs(rise));
            }
            EXPECT_GE(limit[c], 0);
            EXPECT_LE(limit[c], 1);
            if (limit[c] < 1 - 1e-12) {
                EXPECT_NEAR(room, 0, 1e-10);
                ++limited;
            }
        }
        EXPECT_GT(limited, int(m.cells()) / 4);
        EXPECT_LT(limited, int(m.cells()));
    }
}

// A monotone solution in [0, 1], and what a scheme of second order carries beyond it: random fluxes
// inside the domain, so many times what cells hold.
struct Carried {
    Carried(const Box& b, double size)
        : low(b.field(Kind::cell, 1,
                      [&](Index c, int) { return 0.5 + 0.5 * b.random(Kind::cell, c, 8); })),
          excess(b.field(Kind::face, 1, [&](Index f, int) {
              return b.boundaries.boundary(f)
                         ? 0
                         : size * b.random(Kind::face, f, 9) / b.mesh.mesh.cells();
          })) {}
    Field<double> low, excess;
};

// low less what `flux` takes out of a cell, over its volume.
double without(const Box& b, const Field<double>& low, const std::vector<double>& flux, Index c) {
    double value = low.download()[c];
    for (int j = 0; j <= b.mesh.mesh.dimension; ++j) {
        const Index f = b.mesh.mesh.cell_faces(c, j);
        value -= orientation_of(f) * flux[entity_of(f)] / b.domain.geometry.cell_volume[c];
    }
    return value;
}

void expect_limited(int dimension, double size, bool is_cut) {
    const Box b(Communicator::self(), dimension);
    const Carried carried(b, size);
    const auto excess = carried.excess.download();
    Field<double> high(b.domain, Kind::cell, 1,
                       static_cast<Index>(b.stencil.boundary_faces.size()));
    std::vector<double> before(high.size(), 0.0);
    for (Index c = 0; c < b.cells(); ++c) before[c] = without(b, carried.low, excess, c);
    high.upload(before);
    FluxLimiter<double> limiter(b.domain, b.stencil);
    const auto cut = limiter
                         .limit({.least = 0, .greatest = 1, .margin = 1e-9, .slack = 0.5},
                                carried.low, carried.excess, high)
                         .download();
    const auto after = high.download();
    bool leaves = false;
    double held = 0, held_before = 0, taken = 0;
    std::vector<double> carries(excess);
    for (Index f = 0; f < b.mesh.mesh.faces(); ++f) {
        EXPECT_LE(cut[f] * excess[f] * (cut[f] * excess[f] > 0 ? 1 : -1),
                  excess[f] * excess[f] * (1 + 1e-12));
        EXPECT_GE(cut[f] * excess[f], -1e-18);
        carries[f] -= cut[f];
        taken += std::abs(cut[f]);
    }
    for (Index c = 0; c < b.cells(); ++c) {
        leaves = leaves || before[c] < -1e-9 || before[c] > 1 + 1e-9;
        EXPECT_GE(after[c], -2e-9);
        EXPECT_LE(after[c], 1 + 2e-9);
        EXPECT_NEAR(after[c], without(b, carried.low, carries, c), 1e-12 * (1 + size));
        if (!is_cut) {
            EXPECT_EQ(after[c], before[c]);
        }
        held += after[c] * b.domain.geometry.cell_volume[c];
        held_before += before[c] * b.domain.geometry.cell_volume[c];
    }
    EXPECT_EQ(leaves, is_cut) << "this tests little";
    EXPECT_EQ(taken > 0, is_cut);
    EXPECT_NEAR(held, held_before, 1e-12);
}

TEST(FluxLimiter, KeepsTheRangeAndWhatAllCellsHold) {
    for (const int dimension : {2, 3})
        for (const double size : {1.0, 30.0}) expect_limited(dimension, size, true);
}

TEST(FluxLimiter, LeavesWhatStaysInTheRange) {
    for (const int dimension : {2, 3}) expect_limited(dimension, 1e-6, false);
}

}  // namespace
}  // namespace solenoid::limiters_test
