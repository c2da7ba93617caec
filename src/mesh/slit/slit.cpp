#include "mesh/slit/slit.hpp"

#include <numeric>

#include "mesh/slit/fans.hpp"
#include "mesh/slit/split_simplices.hpp"

namespace solenoid {
namespace {

// The sides of the groups that have two cells.
FaceSet faces_inside(const SimplexMesh& mesh, const std::vector<bool>& is_slit_group) {
    FaceMap<int> cells;
    std::vector<bool> owned_range(mesh.points.size(), false);
    for (std::size_t s = 0; s < mesh.side_count(); ++s) {
        if (!is_slit_group[mesh.side_group[s]]) continue;
        cells[face_key(mesh.side(s), mesh.dimension)] = 0;
        for (int i = 0; i < mesh.dimension; ++i) owned_range[mesh.side(s)[i]] = true;
    }
    for (std::size_t c = 0; c < mesh.cell_count() && !cells.empty(); ++c)
        for (int j = 0; j <= mesh.dimension; ++j) {
            const FaceKey face = face_of_cell(mesh, c, j);
            if (!all_owned(owned_range, face)) continue;
            if (const auto found = cells.find(face); found != cells.end()) ++found->second;
        }
    FaceSet inside;
    for (const auto& [face, count] : cells)
        if (count == 2) inside.insert(face);
    return inside;
}

// The node of each corner of the fans' cells. Appends the copies to the mesh.
std::vector<Index> copy_nodes(SimplexMesh& mesh, const Fans& fans, CoupledNodes& copies) {
    struct Corner {
        Index node, fan;
        std::size_t place;
        auto operator<=>(const Corner&) const = default;
    };
    const int corners = mesh.dimension + 1;
    std::vector<Index> copy(fans.cells().size() * corners);
    std::vector<Corner> ends;
    for (Index t = 0; t < fans.cells().size(); ++t)
        for (int j = 0; j < corners; ++j) {
            const std::size_t place = std::size_t(t) * corners + j;
            const Index node = copy[place] = mesh.cell(fans.cells()[t])[j];
            if (fans.is_slit_node(node)) ends.push_back({node, fans.fan(t, j), place});
        }
    std::ranges::sort(ends);
    copies.first = static_cast<GlobalIndex>(mesh.points.size());
    for (std::size_t k = 1; k < ends.size(); ++k) {
        if (ends[k].node != ends[k - 1].node) continue;
        const bool same_fan = ends[k].fan == ends[k - 1].fan;
        copy[ends[k].place] =
            same_fan ? copy[ends[k - 1].place] : static_cast<Index>(mesh.points.size());
        if (same_fan) continue;
        mesh.points.push_back(Vec3(mesh.points[ends[k].node]));
        copies.original.push_back(ends[k].node);
    }
    return copy;
}

// Gives each side the nodes of its cell's face. A slit side becomes two.
void renumber_sides(SimplexMesh& mesh, const Fans& fans, const FaceSet& slits,
                    const std::vector<Index>& copy) {
    const int d = mesh.dimension;
    for (std::size_t s = 0, before = mesh.side_count(); s < before; ++s) {
        std::array<Index, 3> nodes{none, none, none};
        std::copy_n(mesh.side(s), d, nodes.begin());
        if (std::none_of(nodes.begin(), nodes.begin() + d,
                         [&](Index node) { return fans.is_slit_node(node); }))
            continue;
        const FaceKey face = face_key(nodes.data(), d);
        const auto cells = fans.cells_of(face);
        const auto seen_from = [&](Index t) {
            std::array<Index, 3> seen{};
            const Index* cell = mesh.cell(fans.cells()[t]);
            for (int i = 0; i < d; ++i)
                seen[i] =
                    copy[std::size_t(t) * (d + 1) + (std::find(cell, cell + d, nodes[i]) - cell)];
            return seen;
        };
        std::copy_n(seen_from(cells[0]).begin(), d, mesh.sides.begin() + s * d);
        if (!slits.contains(face)) continue;
        const auto other = seen_from(cells[1]);
        mesh.sides.insert(mesh.sides.end(), other.begin(), other.begin() + d);
        mesh.side_group.push_back(mesh.side_group[s]);
    }
}

}  // namespace

bool Slits::empty() const {
    return std::accumulate(faces.begin(), faces.end(), std::size_t{0}) == 0;
}

Slits slit(SimplexMesh& mesh, const std::vector<std::uint16_t>& groups) {
    std::vector<bool> is_slit_group(mesh.boundaries.size(), false);
    for (const std::uint16_t group : groups) is_slit_group[group] = true;
    Slits result;
    result.faces.assign(mesh.boundaries.size(), 0);
    const std::size_t nodes = mesh.points.size(), cells = mesh.cell_count();
    FaceSet slits = faces_inside(mesh, is_slit_group);
    if (slits.empty()) return result;
    for (std::size_t s = 0; s < mesh.side_count(); ++s)
        result.faces[mesh.side_group[s]] += is_slit_group[mesh.side_group[s]] &&
                                            slits.contains(face_key(mesh.side(s), mesh.dimension));
    for (;;) {
        const Fans fans(mesh, slits);
        std::vector<FaceKey> unseparated = fans.unseparated_edges();
        if (unseparated.empty()) unseparated = fans.unseparated_faces();
        if (!unseparated.empty()) {
            split_at_middles(mesh, unseparated, fans.cells());
            slits = faces_inside(mesh, is_slit_group);
            continue;
        }
        const std::vector<Index> copy = copy_nodes(mesh, fans, result.copies);
        renumber_sides(mesh, fans, slits, copy);
        const std::size_t corners = mesh.dimension + 1;
        for (std::size_t t = 0; t < fans.cells().size(); ++t)
            std::copy_n(copy.begin() + t * corners, corners,
                        mesh.cells.begin() + fans.cells()[t] * corners);
        result.nodes = mesh.points.size() - nodes;
        result.cells = mesh.cell_count() - cells;
        return result;
    }
}

}  // namespace solenoid
