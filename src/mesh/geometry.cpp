// Every sum runs in the order of a cell's own nodes or of ascending global numbers, so that its
// bits do not depend on a rank's numbering.
#include "mesh/geometry.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/threads.hpp"
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
    const auto x = mesh.face_corners(face);
    const Vec3 u = x[1] - x[0];
    if (mesh.dimension == 2) return {u.y, -u.x, 0};
    return 0.5 * glm::cross(u, x[2] - x[0]);
}

std::array<Vec3, 4> corners_of(const Mesh& mesh, Index cell) {
    std::array<Vec3, 4> x{};
    for (int j = 0; j <= mesh.dimension; ++j) x[j] = mesh.corner(cell, j);
    return x;
}

template <std::size_t most>
Vec3 mean_of(const std::array<Vec3, most>& points, int count) {
    Vec3 sum = points[0];
    for (int i = 1; i < count; ++i) sum += points[i];
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
    const double quality =
        product > 0 ? 16 * area * area / ((sides[0] + sides[1] + sides[2]) * product) : 0;
    return {area, quality, *shortest, *longest};
}

// 3 r / R with r = 3 V / area and R = | |u|^2 v x w + |v|^2 w x u + |w|^2 u x v | / (12 V)
Shape tet_shape(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 u = b - a, v = c - a, w = d - a;
    const Vec3 vw = glm::cross(v, w), wu = glm::cross(w, u), uv = glm::cross(u, v);
    const double volume = glm::dot(uv, w) / 6;
    const double area =
        (glm::length(vw) + glm::length(wu) + glm::length(uv) + glm::length(vw + wu + uv)) / 2;
    const double centre =
        glm::length(glm::dot(u, u) * vw + glm::dot(v, v) * wu + glm::dot(w, w) * uv);
    const double edges[6] = {glm::length(u),     glm::length(v),     glm::length(w),
                             glm::length(v - u), glm::length(w - u), glm::length(w - v)};
    const auto [shortest, longest] = std::minmax_element(edges, edges + 6);
    const double product = area * centre;
    return {volume, product > 0 ? 108 * volume * volume / product : 0, *shortest, *longest};
}

}  // namespace

double quality(const Mesh& mesh, Index cell) {
    const auto x = corners_of(mesh, cell);
    return mesh.dimension == 2 ? triangle_shape(x[0], x[1], x[2]).quality
                               : tet_shape(x[0], x[1], x[2], x[3]).quality;
}

double volume(const Mesh& mesh, Index cell) {
    const auto x = corners_of(mesh, cell);
    return mesh.dimension == 2 ? triangle_area(x[0], x[1], x[2])
                               : tet_volume(x[0], x[1], x[2], x[3]);
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
    for_each(0, mesh.cells(), [&](Index c) {
        result.cell_volume[c] = volume(mesh, c);
        result.cell_centroid[c] = mean_of(corners_of(mesh, c), mesh.dimension + 1);
    });
    for_each(0, mesh.faces(), [&](Index f) {
        result.face_area[f] = area_vector(mesh, f);
        result.face_centroid[f] = mean_of(mesh.face_corners(f), mesh.dimension);
    });
    return result;
}

Vec3 face_offset(const Mesh& mesh, const Geometry& g, Index cell, int j) {
    const Index oriented = mesh.cell_faces(cell, j), face = entity_of(oriented);
    const Vec3 seen_by_first = g.face_centroid[face] - g.cell_centroid[cell];
    return orientation_of(oriented) > 0 ? seen_by_first : seen_by_first + mesh.jump(face);
}

std::array<Vec3, 2> centroids_beside(const Mesh& mesh, const Geometry& g, Index face) {
    const Index first = mesh.face_cells(face, 0), second = mesh.face_cells(face, 1);
    return {first == none ? g.face_centroid[face] : g.cell_centroid[first],
            second == none ? g.face_centroid[face] : g.cell_centroid[second] - mesh.jump(face)};
}

void Bounds::add(const Vec3& x) {
    low = glm::min(low, x);
    high = glm::max(high, x);
}

Bounds bounds(const Mesh& mesh) {
    Bounds box;
    if (mesh.periodic_map.empty())
        for (const Vec3& x : mesh.points) box.add(x);
    else
        for (Index c = 0; c < mesh.cells(); ++c)
            for (int j = 0; j <= mesh.dimension; ++j) box.add(mesh.corner(c, j));
    return box;
}

Quality quality(const SimplexMesh& mesh) {
    constexpr double large = std::numeric_limits<double>::max();
    Quality all{1, 0, large, -large, large, 0};
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 x[4];
        for (int j = 0; j <= mesh.dimension; ++j) x[j] = mesh.corner(c, j);
        const Shape cell = mesh.dimension == 2 ? triangle_shape(x[0], x[1], x[2])
                                               : tet_shape(x[0], x[1], x[2], x[3]);
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
