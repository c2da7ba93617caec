#include "app/passages.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <optional>

#include "mesh/cell_line.hpp"
#include "mesh/geometry.hpp"

namespace solenoid {
namespace {

struct Rim {
    Index face;       // of the plate
    Vec3 place, out;  // out: outward unit vector in the plate's plane
    std::vector<Index> nodes;
};

class Walker {
  public:
    explicit Walker(const Mesh& mesh)
        : m_(mesh), group_(mesh.faces(), mesh.boundaries.size()), is_stop_(mesh.faces(), false) {
        for (Index f = 0; f < m_.faces(); ++f) is_stop_[f] = is_outer(f);
        for (const Side& side : m_.sides) {
            is_stop_[side.face] = true;
            if (group_[side.face] == m_.boundaries.size()) group_[side.face] = side.boundary;
        }
    }

    std::vector<Passage> narrowest() {
        for (const Side& side : m_.sides)
            for (int k = 0; k < 2; ++k)
                if (const Index c = m_.face_cells(side.face, k); c != none) from_face(side, c);
        const std::vector<Rim> rims = found_rims();
        for (const Rim& rim : rims) from_rim(rim);
        for (const Rim& a : rims) to_nearest(a, rims);
        std::vector<Passage> result;
        for (const auto& [boundary, passage] : least_) result.push_back(passage);
        return result;
    }

  private:
    struct Line : CellLine {
        Index face = none;  // where the line ends; none: before a face
        Vec3 out{0};        // unit normal there
    };

    bool is_outer(Index f) const {
        return m_.face_cells(f, 0) == none || m_.face_cells(f, 1) == none;
    }

    // Follows a line from a cell to a face that stops it, at most the distance `most`.
    std::optional<Line> walk(Index cell, const CellLine& from, double most = HUGE_VAL) const {
        Line line{from};
        for (Index n = 0; n < m_.cells(); ++n) {
            const int exit = pass_cell(m_, cell, line, most);
            if (exit < 0) return {};
            if (exit == m_.cell_faces.width) return line;
            const Index f = entity_of(m_.cell_faces(cell, exit));
            if (is_stop_[f]) {
                line.face = f;
                line.out = glm::normalize(opposite_area(m_, cell, exit));
                return line;
            }
            cell = m_.face_cells(f, 0) == cell ? m_.face_cells(f, 1) : m_.face_cells(f, 0);
        }
        return {};
    }

    void keep(std::size_t from, std::size_t to, const Line& line) {
        if (!(line.length > 0)) return;
        const auto found = least_.find(from);
        if (found == least_.end() || line.cells < found->second.cells)
            least_[from] = {from, to, line.cells, line.length,
                            line.start + 0.5 * line.length * line.direction};
    }

    bool meets(const Index* nodes, std::size_t count, Index face) const {
        return std::any_of(nodes, nodes + count, [&](Index i) {
            return std::find(m_.face_nodes.row(face), m_.face_nodes.row(face) + m_.dimension, i) !=
                   m_.face_nodes.row(face) + m_.dimension;
        });
    }

    void from_face(const Side& side, Index cell) {
        const Index f = side.face;
        const CellLine start = line_from_face(m_, f, cell);
        const std::optional<Line> line = walk(cell, start);
        if (line && glm::dot(line->out, start.direction) > facing &&
            !meets(m_.face_nodes.row(f), m_.dimension, line->face))
            keep(side.boundary, group_[line->face], *line);
    }

    // Nodes (2D) or edges (3D) at which exactly one stopping face, inside a group, ends.
    std::vector<Rim> found_rims() const {
        // by nodes: number of faces, and the last face
        std::map<std::vector<Index>, std::pair<int, Index>> faces;
        const int d = m_.dimension;
        const auto codim2 = [&](Index f, int j) {
            std::vector<Index> nodes;
            for (int k = 0; k < d; ++k)
                if (k != j) nodes.push_back(m_.face_nodes(f, k));
            std::ranges::sort(nodes);
            return nodes;
        };
        if (std::ranges::none_of(m_.sides, [&](const Side& s) { return !is_outer(s.face); }))
            return {};
        for (Index f = 0; f < m_.faces(); ++f)
            for (int j = 0; j < d && is_stop_[f]; ++j) {
                auto& [count, face] = faces[codim2(f, j)];
                ++count;
                face = f;
            }
        std::vector<Rim> rims;
        for (const auto& [nodes, at] : faces) {
            const auto& [count, f] = at;
            if (count != 1 || is_outer(f)) continue;
            Vec3 place(0), opposite(0);
            for (const Index i : nodes) place += m_.points[i] / double(nodes.size());
            for (int k = 0; k < d; ++k)
                if (std::ranges::find(nodes, m_.face_nodes(f, k)) == nodes.end())
                    opposite = m_.points[m_.face_nodes(f, k)];
            Vec3 out = place - opposite;
            if (d == 3) {
                const Vec3 along = glm::normalize(m_.points[nodes[1]] - m_.points[nodes[0]]);
                out -= glm::dot(out, along) * along;
            }
            rims.push_back({f, place, glm::normalize(out), nodes});
        }
        return rims;
    }

    // The cell at a rim into which a direction points.
    Index cell_into(const Rim& rim, const Vec3& direction) {
        if (!cells_) cells_ = cells_of(m_, Kind::node);
        Index best = none;
        double deepest = -HUGE_VAL;
        for (const Index* c = cells_->begin(rim.nodes[0]); c != cells_->end(rim.nodes[0]); ++c) {
            const Index* nodes = m_.cell_nodes.row(*c);
            if (!std::ranges::all_of(rim.nodes, [&](Index i) {
                    return std::find(nodes, nodes + m_.dimension + 1, i) !=
                           nodes + m_.dimension + 1;
                }))
                continue;
            double depth = HUGE_VAL;
            for (int j = 0; j <= m_.dimension; ++j) {
                // the face opposite this node does not contain the rim
                if (std::ranges::find(rim.nodes, nodes[j]) != rim.nodes.end()) continue;
                const Vec3 out = opposite_area(m_, *c, j);
                depth = std::min(depth, -glm::dot(out, direction) / glm::length(out));
            }
            if (depth > deepest) deepest = depth, best = *c;
        }
        return best;
    }

    void from_rim(const Rim& rim) {
        const std::optional<Line> line = walk(cell_into(rim, rim.out), {rim.place, rim.out});
        if (line && glm::dot(line->out, rim.out) > facing &&
            !meets(rim.nodes.data(), rim.nodes.size(), line->face))
            keep(group_[rim.face], group_[line->face], *line);
    }

    void to_nearest(const Rim& a, const std::vector<Rim>& rims) {
        const Rim* nearest = nullptr;
        double length = HUGE_VAL;
        for (const Rim& b : rims) {
            const Vec3 way = b.place - a.place;
            const double far = glm::length(way);
            if (far > 0 && far < length && glm::dot(way, a.out) > facing * far &&
                glm::dot(way, b.out) < -facing * far)
                nearest = &b, length = far;
        }
        if (!nearest) return;
        const Rim& b = *nearest;
        const Vec3 way = b.place - a.place;
        const std::optional<Line> line =
            walk(cell_into(a, way / length), {a.place, way / length}, length * (1 - 1e-9));
        if (line && line->face == none) keep(group_[a.face], group_[b.face], *line);
    }

    const Mesh& m_;
    std::vector<std::size_t> group_;  // of faces
    std::vector<bool> is_stop_;
    std::optional<Rows> cells_;
    std::map<std::size_t, Passage> least_;
};

}  // namespace

std::vector<Passage> narrowest_passages(const Mesh& mesh) { return Walker(mesh).narrowest(); }

}  // namespace solenoid
