#include "mesh/coarse_curves.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "core/transposed_incidence.hpp"

namespace solenoid {
namespace {

constexpr double cos_of_one_surface = 0.94, cos_of_an_edge = 0.7071;  // 20 and 45 degrees
// Two faces lie on both sides of a third where their normals differ from its own in directions that
// are this far from each other.
constexpr double opposite = -0.5;

}  // namespace

FacesMeet how_faces_meet(const Vec3& normal, const Vec3& other) {
    const double cosine = glm::dot(normal, other);
    if (cosine > cos_of_one_surface) return FacesMeet::smoothly;
    return cosine > cos_of_an_edge ? FacesMeet::unresolved : FacesMeet::at_an_edge;
}

CoarseCurve coarse_curve(const Mesh& m, const Geometry& geometry, const std::string& boundary,
                         Index faces) {
    std::vector<bool> is_in(m.faces(), false);
    for (const Side& side : m.sides)
        if (m.boundaries[side.boundary] == boundary) is_in[side.face] = true;
    const Rows round =
        inverse_rows(m.face_nodes, m.nodes(), [&](std::size_t f) { return is_in[f]; });
    const auto normal = [&](Index f) {
        return glm::normalize((m.face_cells(f, 1) == none ? 1.0 : -1.0) * geometry.face_area[f]);
    };
    const auto is_coarse = [&](Index face) {
        const Vec3 n = normal(face);
        std::vector<Vec3> changes;  // of the normal, of length 1
        for (int j = 0; j < m.dimension; ++j) {
            const Index node = m.face_nodes(face, j);
            for (const Index* at = round.begin(node); at != round.end(node); ++at) {
                const Vec3 other = normal(entity_of(*at));
                if (how_faces_meet(other, n) == FacesMeet::unresolved)
                    changes.push_back(glm::normalize(other - glm::dot(other, n) * n));
            }
        }
        return std::ranges::any_of(changes, [&](const Vec3& a) {
            return std::ranges::any_of(changes,
                                       [&](const Vec3& b) { return glm::dot(a, b) < opposite; });
        });
    };
    CoarseCurve result;
    for (Index f = 0; f < faces; ++f) {
        if (!is_in[f]) continue;
        ++result.faces;
        result.coarse += is_coarse(f);
    }
    return result;
}

}  // namespace solenoid
