#include "mesh/side_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

namespace solenoid {
namespace {

using SideNodes = std::array<Index, 3>;  // ascending; in 2D the third is `none`

SideNodes sorted(SideNodes nodes) {
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

// The sides and nodes of a group, with their extent.
struct Group {
    std::vector<std::pair<SideNodes, Index>> sides;
    std::vector<Index> nodes;
    Vec3 low{std::numeric_limits<double>::max()}, high{std::numeric_limits<double>::lowest()};
    double shortest = std::numeric_limits<double>::max();  // edge [m]

    Group(const SimplexMesh& mesh, std::uint16_t group) {
        for (std::size_t s = 0; s < mesh.side_count(); ++s) {
            if (mesh.side_group[s] != group) continue;
            SideNodes side{none, none, none};
            std::copy_n(mesh.side(s), mesh.dimension, side.begin());
            sides.emplace_back(sorted(side), static_cast<Index>(s));
            for (int j = 0; j < mesh.dimension; ++j) {
                nodes.push_back(side[j]);
                low = glm::min(low, mesh.points[side[j]]);
                high = glm::max(high, mesh.points[side[j]]);
                for (int k = 0; k < j; ++k)
                    shortest = std::min(shortest,
                                        glm::distance(mesh.points[side[j]], mesh.points[side[k]]));
            }
        }
        std::sort(sides.begin(), sides.end());
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
    Vec3 extent() const { return high - low; }
    double size() const { return std::max({extent().x, extent().y, extent().z}); }
};

// Nodes sorted along a direction in which hardly any two have equal coordinates.
class SortedNodes {
  public:
    SortedNodes(const std::vector<Vec3>& points, const std::vector<Index>& nodes)
        : points_(points) {
        for (const Index node : nodes) sorted_.emplace_back(along(points[node]), node);
        std::sort(sorted_.begin(), sorted_.end());
    }
    Index find(const Vec3& x, double tolerance) const {
        const double at = along(x);
        for (auto i = std::lower_bound(sorted_.begin(), sorted_.end(),
                                       std::pair(at - 2 * tolerance, Index(0)));
             i != sorted_.end() && i->first <= at + 2 * tolerance; ++i)
            if (glm::distance(points_[i->second], x) <= tolerance) return i->second;
        return none;
    }

  private:
    static double along(const Vec3& x) { return glm::dot(x, Vec3(0.5257311, 0.6881910, 0.5)); }

    const std::vector<Vec3>& points_;
    std::vector<std::pair<double, Index>> sorted_;
};

// Sets match.nodes, or match.failure.
void match_nodes(const SimplexMesh& mesh, const Group& a, const Group& b, const std::string& from,
                 const std::string& to, SideMatch& match) {
    const SortedNodes partners(mesh.points, b.nodes);
    const auto alone = [&](const std::string& mine, const std::string& other, Index node,
                           const Vec3& expected) {
        match.failure = fmt::format(
            "\"{}\" has no partner for the node of \"{}\" at {}: none within {:.2g} m of {}; the "
            "two sides must "
            "be meshed alike (in Gmsh: Periodic Curve or Periodic Surface)",
            other, mine, position_text(mesh.points[node]), match.tolerance,
            position_text(expected));
    };
    std::vector<Index> taken;
    for (const Index node : a.nodes) {
        const Vec3 expected = mesh.points[node] + match.offset;
        const Index partner = partners.find(expected, match.tolerance);
        if (partner == none) return alone(from, to, node, expected);
        match.nodes.emplace_back(node, partner);
        taken.push_back(partner);
    }
    std::sort(taken.begin(), taken.end());
    for (const Index node : b.nodes)
        if (!std::binary_search(taken.begin(), taken.end(), node))
            return alone(to, from, node, mesh.points[node] - match.offset);
}

// Sets match.sides, or match.failure.
void match_faces(const SimplexMesh& mesh, const Group& a, const Group& b, const std::string& from,
                 const std::string& to, SideMatch& match) {
    for (const auto& [nodes, side] : a.sides) {
        SideNodes wanted{none, none, none};
        for (int j = 0; j < mesh.dimension; ++j)
            wanted[j] = std::lower_bound(match.nodes.begin(), match.nodes.end(),
                                         std::pair(nodes[j], Index(0)))
                            ->second;
        const auto found =
            std::lower_bound(b.sides.begin(), b.sides.end(), std::pair(sorted(wanted), Index(0)));
        if (found == b.sides.end() || found->first != sorted(wanted)) {
            Vec3 centre(0);
            for (int j = 0; j < mesh.dimension; ++j)
                centre += mesh.points[nodes[j]] / double(mesh.dimension);
            match.failure = fmt::format(
                "\"{}\" has no partner for the face of \"{}\" at {}: their nodes match, their "
                "faces do not; mesh both alike (Gmsh: Periodic)",
                to, from, position_text(centre));
            return;
        }
        match.sides.emplace_back(side, found->second);
    }
    if (a.sides.size() != b.sides.size())
        match.failure = fmt::format(
            "\"{}\" has {} faces and \"{}\" {}: their nodes match, their faces do not; mesh both "
            "alike (Gmsh: Periodic)",
            from, a.sides.size(), to, b.sides.size());
}

}  // namespace

SideMatch match_sides(const SimplexMesh& mesh, std::uint16_t from, std::uint16_t to) {
    const Group a(mesh, from), b(mesh, to);
    const std::string &one = mesh.boundaries[from], &other = mesh.boundaries[to];
    SideMatch match;
    for (const auto& [group, name] : {std::pair(&a, &one), std::pair(&b, &other)})
        if (group->sides.empty()) {
            match.failure = fmt::format(
                "\"{}\" has no faces: name another group, or leave the table out", *name);
            return match;
        }
    match.offset = b.low - a.low;
    match.tolerance = std::max(1e-3 * std::min(a.shortest, b.shortest), 1e-12 * a.size());
    const Vec3 difference = glm::abs(a.extent() - b.extent());
    if (std::max({difference.x, difference.y, difference.z}) > match.tolerance)
        match.failure = fmt::format(
            "no translation takes \"{}\" to \"{}\": the first measures {} m, the second {} m; a "
            "turned or "
            "stretched copy cannot be its partner",
            one, other, position_text(a.extent()), position_text(b.extent()));
    else if (glm::length(match.offset) <= match.tolerance)
        match.failure = fmt::format("\"{}\" and \"{}\" lie in the same place", one, other);
    else
        match_nodes(mesh, a, b, one, other, match);
    if (match.failure.empty()) match_faces(mesh, a, b, one, other, match);
    return match;
}

}  // namespace solenoid
