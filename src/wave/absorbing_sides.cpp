#include "wave/absorbing_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <tuple>

#include "core/error.hpp"

namespace solenoid {
namespace {

// The place of each boundary among Mesh::boundaries.
std::size_t group_of(const Mesh& mesh, const WaveBoundary& boundary) {
    const auto group = std::ranges::find(mesh.boundaries, boundary.name);
    if (group == mesh.boundaries.end())
        throw InputError(boundary.place,
                         fmt::format("the mesh has no boundary \"{}\"", boundary.name));
    return static_cast<std::size_t>(group - mesh.boundaries.begin());
}

// (d/dt + c d/dn) g, of second order in `span`: g is taken along the characteristic that leaves
// through the side, at earlier times inside the domain, near the start at later ones outside.
double along_the_characteristic(const Formula& g, const Vec3& point, const Vec3& direction,
                                double t, double span) {
    const double back = t < 2 * span ? -span : span;
    const auto at = [&](int k) {
        return g.finite_value(point - (k * back) * direction, t - k * back);
    };
    return (3 * at(0) - 4 * at(1) + at(2)) / (2 * back);
}

}  // namespace

AbsorbingSides::AbsorbingSides(const Domain& domain, const std::vector<WaveBoundary>& boundaries,
                               const Formula& speed)
    : damping_(domain.nodes.owned, 0.0) {
    const Mesh& m = domain.mesh.mesh;
    std::map<std::size_t, const WaveBoundary*> absorbing;
    domain.comm.agree([&] {
        for (const WaveBoundary& b : boundaries)
            if (const Formula* incident = b.condition->incident()) {
                absorbing.emplace(group_of(m, b), &b);
                depends_on_time_ = depends_on_time_ || incident->depends_on_time();
            }
    });
    // By the numbers of the whole mesh, in whose order the faces of a node are added up; a face of
    // several groups counts once.
    std::map<std::tuple<GlobalIndex, GlobalIndex, GlobalIndex>, Side> sides;
    for (const Side& side : m.sides) {
        if (!absorbing.contains(side.boundary)) continue;
        const Index first = m.face_cells(side.face, 0);
        const Index cell = first != none ? first : m.face_cells(side.face, 1);
        sides.try_emplace({m.cell_number[cell], m.node_number[m.face_nodes(side.face, 0)],
                           m.node_number[m.face_nodes(side.face, 1)]},
                          side);
    }
    domain.comm.agree([&] {
        for (const auto& [numbers, side] : sides) {
            const Geometry& g = domain.geometry;
            const double c = speed.positive_value(g.face_centroid[side.face]),
                         area = glm::length(g.face_area[side.face]),
                         size = m.dimension == 2 ? area : std::sqrt(area);
            const double outward = m.face_cells(side.face, 0) != none ? 1 : -1;
            const std::array<Vec3, 3> points = m.face_corners(side.face);
            for (int j = 0; j < m.dimension; ++j) {
                const Index node = m.face_nodes(side.face, j);
                if (node >= domain.nodes.owned) continue;
                const double weight = c * area / m.dimension;
                damping_[node] += weight;
                const auto& condition = absorbing.at(side.boundary)->condition;
                if (!condition->incident()->is_constant())
                    corners_.push_back({node, points[j],
                                        (outward * c / area) * g.face_area[side.face], weight,
                                        1e-3 * size / c, condition});
            }
        }
    });
}

void AbsorbingSides::add_load(double t, std::vector<double>& load) const {
    for (const Corner& corner : corners_)
        load[corner.node] +=
            corner.weight * along_the_characteristic(*corner.condition->incident(), corner.point,
                                                     corner.direction, t, corner.span);
}

}  // namespace solenoid
