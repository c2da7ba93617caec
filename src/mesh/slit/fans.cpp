#include "mesh/slit/fans.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <set>

#include "mesh/separate_parts.hpp"
#include "mesh/simplex.hpp"

namespace solenoid {

Fans::Fans(const SimplexMesh& mesh, const FaceSet& slits)
    : mesh_(mesh), slits_(slits), is_slit_node_(mesh.points.size(), false) {
    for (const FaceKey& face : slits)
        for (int i = 0; i < mesh.dimension; ++i) is_slit_node_[face[i]] = true;
    find_cells();
    find_faces();
    join();
}

void Fans::find_cells() {
    const int corners = mesh_.dimension + 1;
    for (std::size_t c = 0; c < mesh_.cell_count(); ++c)
        if (std::any_of(mesh_.cell(c), mesh_.cell(c) + corners,
                        [&](Index node) { return is_slit_node_[node]; }))
            cells_.push_back(static_cast<Index>(c));
}

void Fans::find_faces() {
    for (Index t = 0; t < cells_.size(); ++t)
        for (int j = 0; j <= mesh_.dimension; ++j) {
            const FaceKey face = face_of_cell(mesh_, cells_[t], j);
            if (std::any_of(face.begin(), face.begin() + mesh_.dimension,
                            [&](Index node) { return is_slit_node_[node]; }))
                faces_.push_back({face, t});
        }
    std::ranges::sort(faces_);
}

int Fans::corner_of(Index t, Index node) const {
    const Index* cell = mesh_.cell(cells_[t]);
    return static_cast<int>(std::find(cell, cell + mesh_.dimension, node) - cell);
}

std::size_t Fans::edge_place(Index t, int a, int b) const {
    return 6 * std::size_t(t) + tet_edge(a, b);
}

void Fans::join() {
    const int d = mesh_.dimension;
    JoinedSets corners(static_cast<Index>(cells_.size() * (d + 1))),
        edges(static_cast<Index>(cells_.size() * 6));
    for (std::size_t i = 0; i + 1 < faces_.size(); ++i) {
        const auto& [face, t] = faces_[i];
        const Index other = faces_[i + 1].cell;
        if (faces_[i + 1].nodes != face || slits_.contains(face)) continue;
        for (int a = 0; a < d; ++a) {
            const int here = corner_of(t, face[a]), there = corner_of(other, face[a]);
            corners.join(static_cast<Index>(t * (d + 1) + here),
                         static_cast<Index>(other * (d + 1) + there));
            for (int b = 0; b < a; ++b)
                edges.join(static_cast<Index>(edge_place(t, here, corner_of(t, face[b]))),
                           static_cast<Index>(edge_place(other, there, corner_of(other, face[b]))));
        }
    }
    fan_ = corners.numbers();
    sector_ = edges.numbers();
}

std::array<Index, 2> Fans::cells_of(const FaceKey& face) const {
    const auto at = std::ranges::lower_bound(faces_, face, {}, &CellFace::nodes);
    std::array<Index, 2> found{none, none};
    for (int i = 0; i < 2 && faces_.end() - at > i && at[i].nodes == face; ++i)
        found[i] = at[i].cell;
    return found;
}

namespace {

// A cell at an edge of two slit nodes. Not local to a function: GCC 12 then leaves the comparison
// of arrays out of a build without optimization.
struct Sector {
    FaceKey edge;
    std::array<Index, 2> fans;  // at its nodes
    Index number;               // of the sector round the edge
    auto operator<=>(const Sector&) const = default;
};

}  // namespace

std::vector<FaceKey> Fans::unseparated_edges() const {
    std::set<FaceKey> slit_edges;
    for (const FaceKey& face : slits_)
        for (int a = 0; a < mesh_.dimension; ++a)
            for (int b = 0; b < a; ++b)
                slit_edges.insert(face_key(std::array{face[a], face[b]}.data(), 2));
    std::vector<Sector> sectors;
    for (Index t = 0; t < cells_.size(); ++t)
        for (int a = 0; a <= mesh_.dimension; ++a)
            for (int b = 0; b <= mesh_.dimension; ++b) {
                const std::array<Index, 2> nodes{mesh_.cell(cells_[t])[a],
                                                 mesh_.cell(cells_[t])[b]};
                if (nodes[0] >= nodes[1] || !is_slit_node_[nodes[0]] || !is_slit_node_[nodes[1]])
                    continue;
                const FaceKey edge = face_key(nodes.data(), 2);
                if (slit_edges.contains(edge))
                    sectors.push_back({edge, {fan(t, a), fan(t, b)}, sector_[edge_place(t, a, b)]});
            }
    std::ranges::sort(sectors);
    std::vector<FaceKey> edges;
    for (std::size_t i = 0; i + 1 < sectors.size(); ++i) {
        const Sector &s = sectors[i], &next = sectors[i + 1];
        if (s.edge == next.edge && s.fans == next.fans && s.number != next.number &&
            (edges.empty() || edges.back() != s.edge))
            edges.push_back(s.edge);
    }
    return edges;
}

std::vector<FaceKey> Fans::unseparated_faces() const {
    std::vector<FaceKey> faces;
    for (std::size_t i = 0; i + 1 < faces_.size(); ++i) {
        const FaceKey& face = faces_[i].nodes;
        if (faces_[i + 1].nodes != face || !slits_.contains(face)) continue;
        const Index t = faces_[i].cell, other = faces_[i + 1].cell;
        const bool agree =
            std::all_of(face.begin(), face.begin() + mesh_.dimension, [&](Index node) {
                return fan(t, corner_of(t, node)) == fan(other, corner_of(other, node));
            });
        if (agree) faces.push_back(face);
    }
    return faces;
}

}  // namespace solenoid
