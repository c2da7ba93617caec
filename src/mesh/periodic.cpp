#include "mesh/periodic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <tuple>

#include "core/error.hpp"
#include "mesh/side_matching.hpp"
#include "mesh/simplex.hpp"

namespace solenoid {
namespace {

// A face of a cell: its nodes, ascending, and its outward area vector.
struct CellFace {
    std::array<Index, 3> nodes{none, none, none};
    Vec3 area{0};
};
CellFace cell_face(const SimplexMesh& mesh, std::size_t cell, int j) {
    CellFace face;
    const auto& x = mesh.points;
    if (mesh.dimension == 2) {
        const auto n = outward_face<2>(mesh.cell(cell), j);
        const Vec3 along = x[n[1]] - x[n[0]];
        face.area = {along.y, -along.x, 0};
        std::copy(n.begin(), n.end(), face.nodes.begin());
    } else {
        const auto n = outward_face<3>(mesh.cell(cell), j);
        face.area = 0.5 * glm::cross(x[n[1]] - x[n[0]], x[n[2]] - x[n[0]]);
        face.nodes = n;
    }
    std::sort(face.nodes.begin(), face.nodes.end());
    return face;
}

// For each side of periodic groups: the number of its cells, and the area vector out of them.
struct SideCells {
    std::vector<int> count;
    std::vector<Vec3> area;
};
SideCells cells_of_sides(const SimplexMesh& mesh, const std::vector<bool>& is_periodic) {
    std::vector<std::pair<std::array<Index, 3>, Index>> wanted;
    std::vector<bool> on_side(mesh.points.size(), false);
    for (Index s = 0; s < mesh.side_count(); ++s) {
        if (!is_periodic[mesh.side_group[s]]) continue;
        std::array<Index, 3> nodes{none, none, none};
        std::copy_n(mesh.side(s), mesh.dimension, nodes.begin());
        for (int j = 0; j < mesh.dimension; ++j) on_side[nodes[j]] = true;
        std::sort(nodes.begin(), nodes.end());
        wanted.emplace_back(nodes, s);
    }
    std::sort(wanted.begin(), wanted.end());
    SideCells cells{std::vector<int>(mesh.side_count(), 0),
                    std::vector<Vec3>(mesh.side_count(), Vec3(0))};
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        int on = 0;
        for (int k = 0; k <= mesh.dimension; ++k) on += on_side[mesh.cell(c)[k]];
        for (int j = 0; on >= mesh.dimension && j <= mesh.dimension; ++j) {
            const CellFace face = cell_face(mesh, c, j);
            for (auto i = std::lower_bound(wanted.begin(), wanted.end(),
                                           std::pair(face.nodes, Index(0)));
                 i != wanted.end() && i->first == face.nodes; ++i) {
                ++cells.count[i->second];
                cells.area[i->second] += face.area;
            }
        }
    }
    return cells;
}

class Folder {
  public:
    Folder(SimplexMesh& mesh, const std::vector<PeriodicRequest>& requests)
        : mesh_(mesh), requests_(requests) {}

    void match() {
        const SideGroups groups(mesh_);
        for (const PeriodicRequest& request : requests_) {
            matches_.push_back(groups.match(request.from, request.to));
            const SideMatch& match = matches_.back();
            if (!match.failure.empty())
                throw InputError(request.place, "periodic: " + match.failure);
            mesh_.periodic_map.pairs.push_back({request.from, request.to, match.offset});
            tolerance_ = std::max(tolerance_, 8 * match.tolerance);
        }
        check_sides();
    }
    void link();
    void fold();
    void check_width() const;

  private:
    struct Link {
        Index node, other;
        std::size_t pair;
        double sign;  // other = node + sign offset
        bool operator<(const Link& b) const {
            return std::tie(node, other, pair) < std::tie(b.node, b.other, b.pair);
        }
    };

    void check_sides() const;
    void walk(Index root);
    int code_of(const Vec3& shift);
    [[noreturn]] void refuse_width(const Vec3& along, const Vec3& at) const;

    SimplexMesh& mesh_;
    const std::vector<PeriodicRequest>& requests_;
    std::vector<SideMatch> matches_;
    std::vector<Link> links_;         // in both directions, sorted
    std::vector<Index> root_;         // the node that remains, for each node
    std::vector<std::uint8_t> code_;  // of the shift from it, for each node
    std::vector<Vec3> shifts_{Vec3(0)};
    double tolerance_ = 0;  // of sums of offsets [m]
};

// Checks that the sides of a pair are on the boundary and that their outward normals are opposite.
void Folder::check_sides() const {
    std::vector<bool> is_periodic(mesh_.boundaries.size(), false);
    for (const PeriodicRequest& r : requests_) is_periodic[r.from] = is_periodic[r.to] = true;
    const SideCells cells = cells_of_sides(mesh_, is_periodic);
    const auto text = [&](Index side) { return position_text(mesh_.points[mesh_.side(side)[0]]); };
    for (std::size_t p = 0; p < matches_.size(); ++p)
        for (const auto& [a, b] : matches_[p].sides) {
            const std::string &from = mesh_.boundaries[requests_[p].from],
                              &to = mesh_.boundaries[requests_[p].to];
            for (const Index side : {a, b})
                if (cells.count[side] != 1)
                    throw InputError(requests_[p].place,
                                     fmt::format("periodic: \"{}\" has a face inside the domain, "
                                                 "at {}: only its boundary can be periodic",
                                                 side == a ? from : to, text(side)));
            if (glm::length(cells.area[a] + cells.area[b]) > 0.1 * glm::length(cells.area[a]))
                throw InputError(
                    requests_[p].place,
                    fmt::format("periodic: the faces of \"{}\" and \"{}\" at {} and {} have the "
                                "same orientation: the domain must lie between the two",
                                from, to, text(a), text(b)));
        }
}

void Folder::link() {
    for (std::size_t p = 0; p < matches_.size(); ++p)
        for (const auto& [a, b] : matches_[p].nodes) {
            links_.push_back({a, b, p, 1});
            links_.push_back({b, a, p, -1});
        }
    std::sort(links_.begin(), links_.end());
    root_.assign(mesh_.points.size(), none);
    code_.assign(mesh_.points.size(), 0);
    for (const Link& l : links_)
        if (root_[l.node] == none) walk(l.node);  // ascending: a root is the lowest of its nodes
    for (Index n = 0; n < root_.size(); ++n)
        if (root_[n] == none) root_[n] = n;
}

// Finds all nodes that merge into `root`, breadth first. Refuses nodes that two ways reach with
// different sums of offsets.
void Folder::walk(Index root) {
    std::vector<std::pair<Index, Vec3>> found{{root, Vec3(0)}};
    root_[root] = root;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto [node, shift] = found[i];
        for (auto l = std::lower_bound(links_.begin(), links_.end(), Link{node, 0, 0, 0});
             l != links_.end() && l->node == node; ++l) {
            const Vec3 moved = shift + l->sign * matches_[l->pair].offset;
            if (root_[l->other] == none) {
                root_[l->other] = root;
                code_[l->other] = static_cast<std::uint8_t>(code_of(moved));
                found.emplace_back(l->other, moved);
            }
        }
    }
}

int Folder::code_of(const Vec3& shift) {
    for (std::size_t k = 0; k < shifts_.size(); ++k)
        if (glm::distance(shifts_[k], shift) <= tolerance_) return static_cast<int>(k);
    if (shifts_.size() == 256)
        throw InputError(
            requests_[0].place,
            "periodic: too many pairs: the mesh would be shifted in more than 255 ways");
    shifts_.push_back(shift);
    return static_cast<int>(shifts_.size() - 1);
}

void Folder::fold() {
    std::vector<Index> number(mesh_.points.size(), none);
    Index next = 0;
    for (Index n = 0; n < number.size(); ++n) {
        if (root_[n] != n) continue;
        mesh_.points[next] = mesh_.points[n];
        number[n] = next++;
    }
    mesh_.points.resize(next);
    mesh_.periodic_map.shifts = shifts_;
    mesh_.periodic_map.corner_shift.resize(mesh_.cells.size());
    for (std::size_t k = 0; k < mesh_.cells.size(); ++k) {
        mesh_.periodic_map.corner_shift[k] = code_[mesh_.cells[k]];
        mesh_.cells[k] = number[root_[mesh_.cells[k]]];
    }
    for (Index& node : mesh_.sides) node = number[root_[node]];
}

// Refuses meshes that are too coarse to be closed: an edge must be determined by its two nodes. So
// no two edges of different directions may join the same nodes, and no node may be joined to
// itself.
void Folder::check_width() const {
    struct Edge {
        Index a, b;
        int code_a, code_b;  // shifts of its ends
        bool operator<(const Edge& e) const { return std::tie(a, b) < std::tie(e.a, e.b); }
    };
    const int width = mesh_.dimension + 1;
    const PeriodicMap& periodic_map = mesh_.periodic_map;
    const auto for_each_edge = [&](const auto& visit) {
        for (std::size_t first = 0; first < mesh_.cells.size(); first += width)
            for (std::size_t j = first; j < first + width; ++j)
                for (std::size_t k = first; k < j; ++k) visit(j, k);
    };
    std::vector<bool> is_crossing(mesh_.points.size(), false);
    for_each_edge([&](std::size_t j, std::size_t k) {
        if (periodic_map.code(j) == periodic_map.code(k)) return;
        if (mesh_.cells[j] == mesh_.cells[k])
            refuse_width(periodic_map.shift(j) - periodic_map.shift(k),
                         mesh_.points[mesh_.cells[j]]);
        is_crossing[mesh_.cells[j]] = is_crossing[mesh_.cells[k]] = true;
    });
    std::vector<Edge> edges;
    for_each_edge([&](std::size_t j, std::size_t k) {
        if (!is_crossing[mesh_.cells[j]] || !is_crossing[mesh_.cells[k]]) return;
        const bool ascending = mesh_.cells[j] < mesh_.cells[k];
        const std::size_t low = ascending ? j : k, high = ascending ? k : j;
        edges.push_back(
            {mesh_.cells[low], mesh_.cells[high], periodic_map.code(low), periodic_map.code(high)});
    });
    std::sort(edges.begin(), edges.end());
    const auto along = [&](const Edge& e) { return shifts_[e.code_b] - shifts_[e.code_a]; };
    for (std::size_t i = 1; i < edges.size(); ++i) {
        const Edge &e = edges[i - 1], &f = edges[i];
        if (e.a == f.a && e.b == f.b && glm::distance(along(e), along(f)) > tolerance_)
            refuse_width(along(e) - along(f), mesh_.points[e.a]);
    }
}

void Folder::refuse_width(const Vec3& along, const Vec3& at) const {
    std::size_t nearest = 0;
    double most = -1;
    for (std::size_t p = 0; p < matches_.size(); ++p) {
        const double parallel = std::abs(glm::dot(glm::normalize(matches_[p].offset), along));
        if (parallel > most) most = parallel, nearest = p;
    }
    const PeriodicRequest& r = requests_[nearest];
    throw InputError(
        r.place, fmt::format("periodic: too few cells between \"{}\" and \"{}\": near {} a cell "
                             "would touch itself, or two edges join the same "
                             "two nodes; at least 3 cells across are needed, refine the mesh",
                             mesh_.boundaries[r.from], mesh_.boundaries[r.to], position_text(at)));
}

}  // namespace

void make_periodic(SimplexMesh& mesh, const std::vector<PeriodicRequest>& pairs) {
    if (pairs.empty()) return;
    Folder folder(mesh, pairs);
    folder.match();
    folder.link();
    folder.fold();
    folder.check_width();
}

}  // namespace solenoid
