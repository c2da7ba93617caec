#include "mesh/cell_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "mesh/geometry.hpp"

namespace solenoid {
namespace {

constexpr std::array<double, 3> in_triangle{0.341, 0.336, 0.323}, in_side{0.507, 0.493, 0};

}  // namespace

CellLine line_from_face(const Mesh& mesh, Index face, Index cell) {
    CellLine line;
    const int d = mesh.dimension;
    std::array<Index, 3> nodes{};
    std::copy_n(mesh.face_nodes.row(face), d, nodes.begin());
    std::sort(nodes.begin(), nodes.begin() + d,
              [&](Index a, Index b) { return mesh.node_number[a] < mesh.node_number[b]; });
    for (int j = 0; j < d; ++j)
        line.start += (d == 2 ? in_side : in_triangle)[j] *
                      mesh.corner(cell, mesh.place_in_cell(cell, nodes[j]));
    for (int j = 0; j <= d; ++j)
        if (entity_of(mesh.cell_faces(cell, j)) == face)
            line.direction = -glm::normalize(opposite_area(mesh, cell, j));
    return line;
}

int pass_cell(const Mesh& mesh, Index cell, CellLine& line, double most) {
    double reach = HUGE_VAL, low = HUGE_VAL, high = -HUGE_VAL;
    int exit = -1;
    for (int j = 0; j <= mesh.dimension; ++j) {
        const double along = glm::dot(mesh.corner(cell, j) - line.start, line.direction);
        low = std::min(low, along);
        high = std::max(high, along);
        const Vec3 out = opposite_area(mesh, cell, j);
        const double rate = glm::dot(out, line.direction);
        if (!(rate > 1e-9 * glm::length(out))) continue;
        const double at = glm::dot(out, mesh.corner(cell, j == 0 ? 1 : 0) - line.start) / rate;
        if (at < reach) reach = at, exit = j;
    }
    if (exit < 0) return -1;
    const double end = std::min(reach, most);
    line.cells += std::max(0.0, end - line.length) / (high - low);
    line.length = std::max(line.length, end);
    return most <= reach ? mesh.cell_faces.width : exit;
}

}  // namespace solenoid
