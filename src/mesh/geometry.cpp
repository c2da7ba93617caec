// Every sum runs in an order that global numbers give (a cell's own nodes, or ascending ones), so that the
// bits do not depend on the numbering of a rank.
#include "mesh/geometry.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>

#include "mesh/simplex.hpp"

namespace solenoid {
namespace {

double triangle_area(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 u = b - a, v = c - a;
    return (u.x * v.y - u.y * v.x) / 2;
}

double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return glm::dot(glm::cross(b - a, c - a), d - a) / 6;
}

Vec3 area_vector(const Mesh& mesh, Index face) {
    const Index* node = mesh.face_nodes.row(face);
    const Vec3& a = mesh.points[node[0]];
    const Vec3 u = mesh.points[node[1]] - a;
    if (mesh.dimension == 2) return {u.y, -u.x, 0};
    return 0.5 * glm::cross(u, mesh.points[node[2]] - a);
}

Vec3 mean_of(const std::vector<Vec3>& points, const Index* nodes, int count) {
    Vec3 sum = points[nodes[0]];
    for (int i = 1; i < count; ++i) sum += points[nodes[i]];
    return sum / static_cast<double>(count);
}

struct Shape {
    double volume, quality, shortest, longest;
};

// 2 r / R = 16 A^2 / (perimeter x product of the sides)
Shape triangle_shape(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double sides[3] = {glm::distance(a, b), glm::distance(b, c), glm::distance(c, a)};
    const double area = triangle_area(a, b, c);
    const double product = sides[0] * sides[1] * sides[2];
    const auto [shortest, longest] = std::minmax_element(sides, sides + 3);
    const double quality = product > 0 ? 16 * area * area / ((sides[0] + sides[1] + sides[2]) * product) : 0;
    return {area, quality, *shortest, *longest};
}

// 3 r / R with r = 3 V / area and R = | |u|^2 v x w + |v|^2 w x u + |w|^2 u x v | / (12 V)
Shape tet_shape(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 u = b - a, v = c - a, w = d - a;
    const Vec3 vw = glm::cross(v, w), wu = glm::cross(w, u), uv = glm::cross(u, v);
    const double volume = glm::dot(uv, w) / 6;
    const double area = (glm::length(vw) + glm::length(wu) + glm::length(uv) + glm::length(vw + wu + uv)) / 2;
    const double centre = glm::length(glm::dot(u, u) * vw + glm::dot(v, v) * wu + glm::dot(w, w) * uv);
    const double edges[6] = {glm::length(u),     glm::length(v),     glm::length(w),
                             glm::length(v - u), glm::length(w - u), glm::length(w - v)};
    const auto [shortest, longest] = std::minmax_element(edges, edges + 6);
    const double product = area * centre;
    return {volume, product > 0 ? 108 * volume * volume / product : 0, *shortest, *longest};
}

}  // namespace

double volume(const Mesh& mesh, Index cell) {
    const Index* node = mesh.cell_nodes.row(cell);
    const auto& x = mesh.points;
    return mesh.dimension == 2 ? triangle_area(x[node[0]], x[node[1]], x[node[2]])
                               : tet_volume(x[node[0]], x[node[1]], x[node[2]], x[node[3]]);
}

Vec3 opposite_area(const Mesh& mesh, Index cell, int j) {
    const Index face = mesh.cell_faces(cell, j);
    return static_cast<double>(orientation_of(face)) * area_vector(mesh, entity_of(face));
}

Geometry geometry(const Mesh& mesh) {
    Geometry result;
    result.cell_volume.resize(mesh.cells());
    result.cell_centroid.resize(mesh.cells());
    result.face_area.resize(mesh.faces());
    result.face_centroid.resize(mesh.faces());
    for (Index c = 0; c < mesh.cells(); ++c) {
        result.cell_volume[c] = volume(mesh, c);
        result.cell_centroid[c] = mean_of(mesh.points, mesh.cell_nodes.row(c), mesh.dimension + 1);
    }
    for (Index f = 0; f < mesh.faces(); ++f) {
        result.face_area[f] = area_vector(mesh, f);
        result.face_centroid[f] = mean_of(mesh.points, mesh.face_nodes.row(f), mesh.dimension);
    }
    return result;
}

Quality quality(const SimplexMesh& mesh) {
    constexpr double large = std::numeric_limits<double>::max();
    Quality all{1, 0, large, -large, large, 0};
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const Index* node = mesh.cell(c);
        const auto& x = mesh.points;
        const Shape cell = mesh.dimension == 2 ? triangle_shape(x[node[0]], x[node[1]], x[node[2]])
                                               : tet_shape(x[node[0]], x[node[1]], x[node[2]], x[node[3]]);
        all.least = std::min(all.least, cell.quality);
        all.mean += cell.quality / static_cast<double>(mesh.cell_count());
        all.smallest_volume = std::min(all.smallest_volume, cell.volume);
        all.largest_volume = std::max(all.largest_volume, cell.volume);
        all.shortest_edge = std::min(all.shortest_edge, cell.shortest);
        all.longest_edge = std::max(all.longest_edge, cell.longest);
    }
    return all;
}

}  // namespace solenoid
