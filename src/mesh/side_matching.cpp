#include "mesh/side_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <tuple>

namespace solenoid {
namespace {

using SideNodes = std::array<Index, 3>;  // ascending; in 2D the third is `none`

SideNodes sorted(SideNodes nodes) {
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

// The coordinate of a point along a direction in which hardly any two are equal.
double along(const Vec3& x) { return glm::dot(x, Vec3(0.5257311, 0.6881910, 0.5)); }

constexpr std::size_t most_matches = 1000;
constexpr std::size_t most_work = 20'000'000;  // pairs of groups compared, and their nodes

}  // namespace

// The sides and nodes of a group, with their extent.
struct SideGroups::Group {
    std::vector<std::pair<SideNodes, Index>> sides;
    std::vector<Index> nodes;
    std::vector<std::pair<double, Index>> along;  // nodes by their coordinate along()
    Vec3 low{std::numeric_limits<double>::max()}, high{std::numeric_limits<double>::lowest()};
    double shortest = std::numeric_limits<double>::max();  // edge [m]

    void add(const SimplexMesh& mesh, Index s) {
        SideNodes side{none, none, none};
        std::copy_n(mesh.side(s), mesh.dimension, side.begin());
        sides.emplace_back(sorted(side), s);
        for (int j = 0; j < mesh.dimension; ++j) {
            nodes.push_back(side[j]);
            low = glm::min(low, mesh.points[side[j]]);
            high = glm::max(high, mesh.points[side[j]]);
            for (int k = 0; k < j; ++k)
                shortest =
                    std::min(shortest, glm::distance(mesh.points[side[j]], mesh.points[side[k]]));
        }
    }
    void sort(const SimplexMesh& mesh) {
        std::sort(sides.begin(), sides.end());
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        for (const Index node : nodes) along.emplace_back(solenoid::along(mesh.points[node]), node);
        std::sort(along.begin(), along.end());
    }
    Vec3 extent() const { return high - low; }
    double size() const { return std::max({extent().x, extent().y, extent().z}); }
    // The node within `tolerance` of x, or `none`.
    Index find(const SimplexMesh& mesh, const Vec3& x, double tolerance) const {
        const double at = solenoid::along(x);
        for (auto i = std::lower_bound(along.begin(), along.end(),
                                       std::pair(at - 2 * tolerance, Index(0)));
             i != along.end() && i->first <= at + 2 * tolerance; ++i)
            if (glm::distance(mesh.points[i->second], x) <= tolerance) return i->second;
        return none;
    }

    // Of a translation from this group to another.
    Vec3 offset_to(const Group& to) const { return to.low - low; }
    double tolerance_to(const Group& to) const {
        return std::max(1e-3 * std::min(shortest, to.shortest), 1e-12 * size());
    }
    bool has_extent_of(const Group& to) const {
        const Vec3 difference = glm::abs(extent() - to.extent());
        return std::max({difference.x, difference.y, difference.z}) <= tolerance_to(to);
    }
    bool is_at(const Group& to) const { return glm::length(offset_to(to)) <= tolerance_to(to); }

    void match_nodes(const SimplexMesh& mesh, const Group& b, const std::string& from,
                     const std::string& to, SideMatch& match) const;
    void match_faces(const SimplexMesh& mesh, const Group& b, const std::string& from,
                     const std::string& to, SideMatch& match) const;
};

// Sets match.nodes, or match.failure.
void SideGroups::Group::match_nodes(const SimplexMesh& mesh, const Group& b,
                                    const std::string& from, const std::string& to,
                                    SideMatch& match) const {
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
    for (const Index node : nodes) {
        const Vec3 expected = mesh.points[node] + match.offset;
        const Index partner = b.find(mesh, expected, match.tolerance);
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
void SideGroups::Group::match_faces(const SimplexMesh& mesh, const Group& b,
                                    const std::string& from, const std::string& to,
                                    SideMatch& match) const {
    for (const auto& [corners, side] : sides) {
        SideNodes wanted{none, none, none};
        for (int j = 0; j < mesh.dimension; ++j)
            wanted[j] = std::lower_bound(match.nodes.begin(), match.nodes.end(),
                                         std::pair(corners[j], Index(0)))
                            ->second;
        const auto found =
            std::lower_bound(b.sides.begin(), b.sides.end(), std::pair(sorted(wanted), Index(0)));
        if (found == b.sides.end() || found->first != sorted(wanted)) {
            Vec3 centre(0);
            for (int j = 0; j < mesh.dimension; ++j)
                centre += mesh.points[corners[j]] / double(mesh.dimension);
            match.failure = fmt::format(
                "\"{}\" has no partner for the face of \"{}\" at {}: their nodes match, their "
                "faces do not; mesh both alike (Gmsh: Periodic)",
                to, from, position_text(centre));
            return;
        }
        match.sides.emplace_back(side, found->second);
    }
    if (sides.size() != b.sides.size())
        match.failure = fmt::format(
            "\"{}\" has {} faces and \"{}\" {}: their nodes match, their faces do not; mesh both "
            "alike (Gmsh: Periodic)",
            from, sides.size(), to, b.sides.size());
}

SideGroups::SideGroups(const SimplexMesh& mesh) : mesh_(mesh), groups_(mesh.boundaries.size()) {
    for (Index s = 0; s < mesh.side_count(); ++s) groups_[mesh.side_group[s]].add(mesh, s);
    for (Group& group : groups_) group.sort(mesh);
}

SideGroups::~SideGroups() = default;

SideMatch SideGroups::match(std::uint16_t from, std::uint16_t to) const {
    const Group &a = groups_[from], &b = groups_[to];
    const std::string &one = mesh_.boundaries[from], &other = mesh_.boundaries[to];
    SideMatch match;
    for (const auto& [group, name] : {std::pair(&a, &one), std::pair(&b, &other)})
        if (group->sides.empty()) {
            match.failure = fmt::format(
                "\"{}\" has no faces: name another group, or leave the table out", *name);
            return match;
        }
    match.offset = a.offset_to(b);
    match.tolerance = a.tolerance_to(b);
    if (!a.has_extent_of(b))
        match.failure = fmt::format(
            "no translation takes \"{}\" to \"{}\": the first measures {} m, the second {} m; a "
            "turned or "
            "stretched copy cannot be its partner",
            one, other, position_text(a.extent()), position_text(b.extent()));
    else if (a.is_at(b))
        match.failure = fmt::format("\"{}\" and \"{}\" lie in the same place", one, other);
    else
        a.match_nodes(mesh_, b, one, other, match);
    if (match.failure.empty()) a.match_faces(mesh_, b, one, other, match);
    return match;
}

// Groups of equally many sides are sorted by their first extent: those that can match are near one
// another.
MatchingGroups SideGroups::all_matches() const {
    std::vector<std::uint16_t> order;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        if (!groups_[g].sides.empty()) order.push_back(static_cast<std::uint16_t>(g));
    const auto key = [&](std::uint16_t g) {
        return std::tuple(groups_[g].sides.size(), groups_[g].extent().x, g);
    };
    std::sort(order.begin(), order.end(),
              [&](std::uint16_t a, std::uint16_t b) { return key(a) < key(b); });
    MatchingGroups matches;
    std::size_t work = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Group& first = groups_[order[i]];
        const double reach = std::max(1e-3 * first.shortest, 2e-12 * first.size());
        for (std::size_t j = i + 1; j < order.size(); ++j) {
            const Group& second = groups_[order[j]];
            if (second.sides.size() != first.sides.size() ||
                second.extent().x - first.extent().x > reach)
                break;
            const auto [from, to] = std::minmax({order[i], order[j]});
            const Group &a = groups_[from], &b = groups_[to];
            const bool is_candidate = a.has_extent_of(b) && !a.is_at(b);
            work += 1 + (is_candidate ? a.nodes.size() : 0);
            if (matches.pairs.size() == most_matches || work > most_work) {
                matches.is_complete = false;
                i = order.size();
                break;
            }
            if (!is_candidate) continue;
            if (const SideMatch found = match(from, to); found.failure.empty())
                matches.pairs.push_back({from, to, found.offset});
        }
    }
    std::ranges::sort(matches.pairs, {},
                      [](const PeriodicPair& p) { return std::pair(p.from, p.to); });
    return matches;
}

}  // namespace solenoid
