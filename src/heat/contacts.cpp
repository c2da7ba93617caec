#include "heat/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "heat/face_size.hpp"

namespace solenoid {
namespace {

// The places of a face's nodes, ascending: alike on both sides of a slit.
using SortedNodes = std::array<GlobalIndex, 3>;

SortedNodes sorted_nodes(const Mesh& mesh, const CoupledNodes& coupled, Index face) {
    SortedNodes positions{-1, -1, -1};
    for (int j = 0; j < mesh.dimension; ++j)
        positions[j] = coupled.place(mesh.node_number[mesh.nodes_of(Kind::face, face)[j]]);
    std::ranges::sort(positions);
    return positions;
}

// The cell of a boundary face.
Index only_cell(const Mesh& mesh, Index face) {
    const Index first = mesh.face_cells(face, 0);
    return first != none ? first : mesh.face_cells(face, 1);
}

}  // namespace

std::vector<ContactPair> contact_pairs(const DistributedMesh& mesh, const CoupledNodes& coupled,
                                       std::span<const Index> faces, const HeatBoundary& boundary) {
    const Mesh& m = mesh.mesh;
    const Index owned = mesh.range(Kind::node).owned;
    std::map<SortedNodes, std::array<Index, 2>> sides;
    for (const Index face : faces) {
        const auto [entry, is_new] =
            sides.try_emplace(sorted_nodes(m, coupled, face), std::array{face, none});
        if (!is_new) entry->second[1] = face;
    }
    std::vector<ContactPair> pairs;
    for (const auto& [positions, pair] : sides)
        for (int side = 0; side < 2; ++side) {
            const Index face = pair[side], other = pair[1 - side];
            if (face == none) continue;
            for (int j = 0; j < m.dimension; ++j) {
                const Index node = m.nodes_of(Kind::face, face)[j];
                if (node >= owned) continue;  // of owned nodes all cells are held, on both sides
                if (other == none) {
                    const auto x = m.face_corners(face);
                    throw InputError(
                        boundary.place,
                        fmt::format("[boundary.{0}]: the face of \"{0}\" at {1} has cells on one "
                                    "side only, where nothing is in contact with it: give what "
                                    "lies on the domain's boundary a group and a condition of its "
                                    "own (\"convection\" with h = 1/R, say)",
                                    boundary.name, position_text((x[0] + x[1]) / 2.0)));
                }
                const Index* ends = m.nodes_of(Kind::face, other);
                const GlobalIndex place = coupled.place(m.node_number[node]);
                const Index partner = *std::find_if(ends, ends + m.dimension, [&](Index end) {
                    return coupled.place(m.node_number[end]) == place;
                });
                if (partner == node) continue;  // at the edge where the slit ends
                const double resistance =
                    boundary.condition->resistance()->positive_value(m.points[node]);
                const int here = m.cell_region[only_cell(m, face)],
                          there = m.cell_region[only_cell(m, other)];
                pairs.push_back({node, partner, face_size(m, pair[0]) / m.dimension / resistance,
                                 here == there  ? 0.0
                                 : here < there ? 1.0
                                                : -1.0});
            }
        }
    return pairs;
}

void add_pairs(const std::vector<ContactPair>& pairs, Rows& neighbours,
               std::vector<double>& weights) {
    if (pairs.empty()) return;
    std::map<std::pair<Index, Index>, double> sums;
    for (const ContactPair& pair : pairs) sums[{pair.node, pair.partner}] += pair.conductance;
    Rows rows;
    std::vector<double> values;
    auto next = sums.begin();
    for (Index i = 0; i < neighbours.rows(); ++i) {
        rows.index.insert(rows.index.end(), neighbours.begin(i), neighbours.end(i));
        values.insert(values.end(), weights.begin() + neighbours.start[i],
                      weights.begin() + neighbours.start[i + 1]);
        for (; next != sums.end() && next->first.first == i; ++next) {
            rows.index.push_back(next->first.second);
            values.push_back(next->second);
        }
        rows.start.push_back(static_cast<Index>(rows.index.size()));
    }
    neighbours = std::move(rows);
    weights = std::move(values);
}

double heat_through(const ContactPair& pair, double node, double partner) {
    const double half = pair.conductance * (node - partner) / 2;
    return pair.sense == 0 ? std::abs(half) : pair.sense * half;
}

}  // namespace solenoid
