#include "mesh/slit/split_simplices.hpp"

#include <map>

namespace solenoid {
namespace {

int node_count(const FaceKey& simplex) { return simplex[2] == none ? 2 : 3; }

// Visits the edges and, in 3D, the faces of a cell or side of `count` nodes.
template <class Visit>
void visit_simplices(const Index* nodes, int count, Visit visit) {
    for (int a = 0; a < count; ++a)
        for (int b = 0; b < a; ++b) {
            visit(face_key(std::array{nodes[a], nodes[b]}.data(), 2));
            for (int c = 0; c < b && count >= 3; ++c)
                visit(face_key(std::array{nodes[a], nodes[b], nodes[c]}.data(), 3));
        }
}

class Splitter {
  public:
    Splitter(SimplexMesh& mesh, const std::vector<FaceKey>& simplices,
             const std::vector<Index>& cells)
        : mesh_(mesh) {
        for (const FaceKey& simplex : simplices) cells_[simplex];
        for (const Index c : cells)
            visit_simplices(mesh.cell(c), mesh.dimension + 1, [&](const FaceKey& simplex) {
                if (const auto found = cells_.find(simplex); found != cells_.end())
                    found->second.push_back(c);
            });
    }

    std::size_t split() {
        std::vector<bool> is_taken(mesh_.cell_count(), false);
        for (const auto& [simplex, cells] : cells_) {
            if (cells.empty() || std::ranges::any_of(cells, [&](Index c) { return is_taken[c]; }))
                continue;
            for (const Index c : cells) is_taken[c] = true;
            middle_[simplex] = static_cast<Index>(mesh_.points.size());
            mesh_.points.push_back(position(simplex, cells.front()));
            for (const Index c : cells) split_cell(c, simplex);
        }
        split_sides();
        return middle_.size();
    }

  private:
    std::size_t corner(Index c, Index node) const {
        return std::find(mesh_.cells.begin() + std::size_t(c) * (mesh_.dimension + 1),
                         mesh_.cells.end(), node) -
               mesh_.cells.begin();
    }

    // The middle of a simplex [m] as cell c sees it if it sees the first node unshifted; other
    // cells see it shifted like their nodes.
    Vec3 position(const FaceKey& simplex, Index c) const {
        const int count = node_count(simplex);
        Vec3 sum(0);
        for (int i = 0; i < count; ++i)
            sum += mesh_.periodic_map.moved(mesh_.points[simplex[i]], corner(c, simplex[i])) -
                   mesh_.periodic_map.shift(corner(c, simplex[0]));
        return sum / double(count);
    }

    void split_cell(Index c, const FaceKey& simplex) {
        const int corners = mesh_.dimension + 1, count = node_count(simplex);
        const std::size_t first = std::size_t(c) * corners;
        const std::vector<Index> nodes(mesh_.cells.begin() + first,
                                       mesh_.cells.begin() + first + corners);
        auto& codes = mesh_.periodic_map.corner_shift;
        const std::vector<std::uint8_t> seen =
            codes.empty()
                ? codes
                : std::vector<std::uint8_t>(codes.begin() + first, codes.begin() + first + corners);
        const auto code = seen.empty() ? std::uint8_t{0} : codes[corner(c, simplex[0])];
        for (int i = 0; i < count; ++i) {
            std::vector<Index> part = nodes;
            std::vector<std::uint8_t> part_codes = seen;
            const std::size_t place = std::ranges::find(part, simplex[i]) - part.begin();
            part[place] = middle_.at(simplex);
            if (!seen.empty()) part_codes[place] = code;
            if (i == 0) {
                std::ranges::copy(part, mesh_.cells.begin() + first);
                std::ranges::copy(part_codes, codes.begin() + (seen.empty() ? 0 : first));
                continue;
            }
            mesh_.cells.insert(mesh_.cells.end(), part.begin(), part.end());
            codes.insert(codes.end(), part_codes.begin(), part_codes.end());
            mesh_.cell_region.push_back(mesh_.cell_region[c]);
        }
    }

    void split_sides() {
        const int d = mesh_.dimension;
        for (std::size_t s = 0, before = mesh_.side_count(); s < before; ++s) {
            const std::vector<Index> nodes(mesh_.side(s), mesh_.side(s) + d);
            auto found = middle_.end();
            visit_simplices(nodes.data(), d, [&](const FaceKey& simplex) {
                if (const auto here = middle_.find(simplex); here != middle_.end()) found = here;
            });
            for (int i = 0; found != middle_.end() && i < node_count(found->first); ++i) {
                std::vector<Index> part = nodes;
                std::ranges::replace(part, found->first[i], found->second);
                if (i == 0) {
                    std::ranges::copy(part, mesh_.sides.begin() + s * d);
                    continue;
                }
                mesh_.sides.insert(mesh_.sides.end(), part.begin(), part.end());
                mesh_.side_group.push_back(mesh_.side_group[s]);
            }
        }
    }

    SimplexMesh& mesh_;
    std::map<FaceKey, std::vector<Index>> cells_;  // of each simplex
    FaceMap<Index> middle_;                        // of each that is split
};

}  // namespace

std::size_t split_at_middles(SimplexMesh& mesh, const std::vector<FaceKey>& simplices,
                             const std::vector<Index>& cells) {
    return Splitter(mesh, simplices, cells).split();
}

}  // namespace solenoid
