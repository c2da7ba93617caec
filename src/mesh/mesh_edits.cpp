#include "mesh/mesh_edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>
#include <unordered_map>

#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/nearest_name.hpp"
#include "mesh/face_key.hpp"
#include "mesh/separate_parts.hpp"

namespace solenoid {
namespace {

double shortest_edge(const SimplexMesh& mesh) {
    double least = HUGE_VAL;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        for (int j = 0; j <= mesh.dimension; ++j)
            for (int k = 0; k < j; ++k)
                least = std::min(least, glm::distance(mesh.points[mesh.cell(c)[j]],
                                                      mesh.points[mesh.cell(c)[k]]));
    return least;
}

// For each node the lowest node of its chain: nodes of a chain lie nearer than `length` to the
// next.
class NodeJoiner {
  public:
    NodeJoiner(const std::vector<Vec3>& points, double length)
        : points_(points), length_(length), parent_(points.size()) {
        std::iota(parent_.begin(), parent_.end(), Index(0));
        for (Index n = 0; n < parent_.size(); ++n) bounds_[box_of(points[n])].push_back(n);
        for (Index n = 0; n < parent_.size(); ++n) join_near(n);
        for (Index n = 0; n < parent_.size(); ++n) parent_[n] = root(n);
    }
    const std::vector<Index>& lowest() const { return parent_; }

  private:
    using Box = std::array<std::int64_t, 3>;  // a cube of edge `length`, by its integer coordinates
    Box box_of(const Vec3& x) const {
        Box box{};
        for (int i = 0; i < 3; ++i)
            box[i] = static_cast<std::int64_t>(std::floor(std::clamp(x[i] / length_, -9e18, 9e18)));
        return box;
    }
    Index root(Index n) {
        while (parent_[n] != n) n = parent_[n] = parent_[parent_[n]];
        return n;
    }
    void join_near(Index n) {
        const Box box = box_of(points_[n]);
        for (int k = 0; k < 27; ++k) {
            const auto found =
                bounds_.find({box[0] + k % 3 - 1, box[1] + k / 3 % 3 - 1, box[2] + k / 9 - 1});
            if (found == bounds_.end()) continue;
            for (const Index other : found->second) {
                if (other >= n || !(glm::distance(points_[n], points_[other]) < length_)) continue;
                const Index a = root(n), b = root(other);
                parent_[std::max(a, b)] = std::min(a, b);
            }
        }
    }
    struct HashBox {
        std::size_t operator()(const Box& box) const {
            std::size_t hash = 0;
            for (const std::int64_t i : box)
                hash = (hash ^ static_cast<std::size_t>(i)) * 0x9E3779B97F4A7C15u ^ hash >> 29;
            return hash;
        }
    };

    const std::vector<Vec3>& points_;
    double length_;
    std::vector<Index> parent_;
    std::unordered_map<Box, std::vector<Index>, HashBox> bounds_;
};

void drop_sides(SimplexMesh& mesh, const std::vector<bool>& is_dropped) {
    const std::size_t d = mesh.dimension;
    std::size_t kept = 0;
    for (std::size_t s = 0; s < is_dropped.size(); ++s) {
        if (is_dropped[s]) continue;
        std::copy_n(mesh.sides.begin() + s * d, d, mesh.sides.begin() + kept * d);
        mesh.side_group[kept++] = mesh.side_group[s];
    }
    mesh.sides.resize(kept * d);
    mesh.side_group.resize(kept);
}

void drop_unused_points(SimplexMesh& mesh) {
    std::vector<Index> place(mesh.points.size(), none);
    for (const Index node : mesh.cells) place[node] = 0;
    Index used = 0;
    for (std::size_t n = 0; n < place.size(); ++n)
        if (place[n] != none) {
            mesh.points[used] = mesh.points[n];
            place[n] = used++;
        }
    mesh.points.resize(used);
    for (Index& node : mesh.cells) node = place[node];
    for (Index& node : mesh.sides) node = place[node];
}

// For each face whose nodes are all marked, the number of its cells.
FaceMap<int> cells_of_marked_faces(const SimplexMesh& mesh, const std::vector<bool>& owned_range) {
    FaceMap<int> cells;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        for (int j = 0; j <= mesh.dimension; ++j)
            if (const FaceKey face = face_of_cell(mesh, c, j); all_owned(owned_range, face))
                ++cells[face];
    return cells;
}

// Refuses bodies that touch with different meshes: joining their common nodes would leave holes.
void refuse_unlike(const SimplexMesh& simplices, double length, const std::string& place) {
    const Mesh mesh = build_mesh(whole(SimplexMesh(simplices)));
    const Contact touching =
        part_contacts(mesh.dimension, outer_faces(mesh, mesh.faces(), parts_of_nodes(mesh)), true,
                      length)
            .touching;
    if (touching.faces > 0)
        throw InputError(
            place, fmt::format("mesh.glue = {:.6g} m: bodies touch with different meshes, at {} "
                               "faces, one of them at {}: joining nodes cannot connect them. Make "
                               "them one in Gmsh before meshing (Coherence; or BooleanFragments)",
                               length, touching.faces, position_text(touching.place)));
}

}  // namespace

Glued glue(SimplexMesh& mesh, double length, const std::string& place) {
    if (const double edge = shortest_edge(mesh); !(length < edge))
        throw InputError(place, fmt::format("mesh.glue = {:.6g} m would join nodes of one cell: it "
                                            "must be below the shortest edge, {:.6g} m",
                                            length, edge));
    const NodeJoiner joiner(mesh.points, length);
    const std::vector<Index>& lowest = joiner.lowest();
    std::vector<bool> joined(lowest.size(), false);
    Glued glued;
    for (std::size_t n = 0; n < lowest.size(); ++n)
        if (lowest[n] != n) {
            joined[n] = joined[lowest[n]] = true;
            ++glued.nodes;
        }
    if (glued.nodes == 0) return glued;
    refuse_unlike(mesh, length, place);

    const FaceMap<int> before = cells_of_marked_faces(mesh, joined);
    std::vector<bool> was_outside(mesh.side_count());
    for (std::size_t s = 0; s < was_outside.size(); ++s) {
        const auto found = before.find(face_key(mesh.side(s), mesh.dimension));
        was_outside[s] = found != before.end() && found->second == 1;
    }
    for (Index& node : mesh.cells) node = lowest[node];
    for (Index& node : mesh.sides) node = lowest[node];
    const FaceMap<int> after = cells_of_marked_faces(mesh, joined);
    const auto inside = [](const FaceMap<int>& faces) {
        return std::ranges::count_if(faces, [](const auto& face) { return face.second > 1; });
    };
    glued.faces = static_cast<std::size_t>(inside(after) - inside(before));
    for (std::size_t s = 0; s < was_outside.size(); ++s)
        was_outside[s] = was_outside[s] && after.at(face_key(mesh.side(s), mesh.dimension)) > 1;
    drop_sides(mesh, was_outside);
    drop_unused_points(mesh);
    return glued;
}

void keep_regions(SimplexMesh& mesh, const std::vector<std::string>& names,
                  const std::string& place) {
    for (const std::string& name : names)
        if (std::ranges::find(mesh.regions, name) == mesh.regions.end()) {
            const std::string near = nearest_name(name, mesh.regions);
            throw InputError(
                place, fmt::format("the mesh has no region \"{}\"{}; it has: \"{}\"", name,
                                   near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                                   joined_words(mesh.regions, "\", \"")));
        }
    std::vector<bool> keeps(mesh.regions.size());
    for (std::size_t r = 0; r < keeps.size(); ++r)
        keeps[r] = std::ranges::find(names, mesh.regions[r]) != names.end();
    if (std::ranges::find(keeps, false) == keeps.end()) return;

    FaceMap<bool> is_side;  // faces that are sides of a kept cell
    for (std::size_t s = 0; s < mesh.side_count(); ++s)
        is_side[face_key(mesh.side(s), mesh.dimension)] = false;
    // nodes of cells left out, of kept cells
    std::array<std::vector<bool>, 2> touched{std::vector<bool>(mesh.points.size()),
                                             std::vector<bool>(mesh.points.size())};
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        for (int j = 0; j <= mesh.dimension; ++j)
            touched[keeps[mesh.cell_region[c]]][mesh.cell(c)[j]] = true;
    FaceMap<std::uint16_t>
        left_out;  // faces of cells left out that may border a kept cell, with the region left out
    const auto visit = [&](bool kept, const auto& face_visit) {
        for (std::size_t c = 0; c < mesh.cell_count(); ++c)
            for (int j = 0; j <= mesh.dimension && keeps[mesh.cell_region[c]] == kept; ++j)
                face_visit(face_of_cell(mesh, c, j), mesh.cell_region[c]);
    };
    visit(false, [&](const FaceKey& face, std::uint16_t region) {
        if (all_owned(touched[1], face)) left_out[face] = region;
    });
    std::map<std::uint16_t, std::vector<FaceKey>> interfaces;
    visit(true, [&](const FaceKey& face, std::uint16_t) {
        const auto side = is_side.find(face);
        if (side != is_side.end()) side->second = true;
        const auto other = all_owned(touched[0], face) ? left_out.find(face) : left_out.end();
        if (side == is_side.end() && other != left_out.end())
            interfaces[other->second].push_back(face);
    });
    std::vector<bool> is_dropped(mesh.side_count());
    for (std::size_t s = 0; s < is_dropped.size(); ++s)
        is_dropped[s] = !is_side.at(face_key(mesh.side(s), mesh.dimension));
    drop_sides(mesh, is_dropped);
    for (const auto& [region, faces] : interfaces) {
        const std::string name = "interface_" + mesh.regions[region];
        const auto group = std::ranges::find(mesh.boundaries, name) - mesh.boundaries.begin();
        if (group == static_cast<std::ptrdiff_t>(mesh.boundaries.size()))
            mesh.boundaries.push_back(name);
        for (const FaceKey& face : faces) {
            mesh.sides.insert(mesh.sides.end(), face.begin(), face.begin() + mesh.dimension);
            mesh.side_group.push_back(static_cast<std::uint16_t>(group));
        }
    }

    std::vector<std::uint16_t> number(mesh.regions.size());
    std::vector<std::string> regions;
    for (std::size_t r = 0; r < keeps.size(); ++r) {
        number[r] = static_cast<std::uint16_t>(regions.size());
        if (keeps[r]) regions.push_back(mesh.regions[r]);
    }
    const std::size_t width = mesh.dimension + 1;
    std::size_t kept = 0;
    for (std::size_t c = 0; c < mesh.cell_region.size(); ++c) {
        if (!keeps[mesh.cell_region[c]]) continue;
        std::copy_n(mesh.cells.begin() + c * width, width, mesh.cells.begin() + kept * width);
        mesh.cell_region[kept++] = number[mesh.cell_region[c]];
    }
    mesh.cells.resize(kept * width);
    mesh.cell_region.resize(kept);
    mesh.regions = std::move(regions);
    drop_unused_points(mesh);
}

}  // namespace solenoid
