#include "flow/diagnostics/edge_patches.hpp"

#include <algorithm>
#include <cmath>

#include "core/threads.hpp"

namespace solenoid {
namespace {

constexpr int layers = 4;  // of cells in which a function falls to 0

// Flags of each node held: on a face of the boundary, on a face of another boundary.
struct NodeMarks {
    std::vector<bool> own, other;
};

NodeMarks node_marks(const Domain& domain, const FlowBoundaries& boundaries,
                     std::uint16_t boundary) {
    const Mesh& m = domain.mesh.mesh;
    std::vector<bool> is_own(m.faces(), false);
    for (const Side& side : m.sides)
        if (side.boundary == boundary) is_own[side.face] = true;
    NodeMarks marks{std::vector<bool>(m.nodes(), false), std::vector<bool>(m.nodes(), false)};
    for (Index c = 0; c < m.cells(); ++c)
        for (int a = 0; a <= m.dimension; ++a) {
            const Index face = entity_of(m.cell_faces(c, a));
            if (!boundaries.boundary(face)) continue;
            for (int j = 0; j < m.dimension; ++j)
                (is_own[face] ? marks.own : marks.other)[m.nodes_of(Kind::face, face)[j]] = true;
        }
    return marks;
}

// Functions that are 1 at `from`, fall by 1/layers with each cell, and are 0 at `to`. Collective.
std::vector<float> fallen(const Domain& domain, const std::vector<bool>& from,
                          const std::vector<bool>& to) {
    const Mesh& m = domain.mesh.mesh;
    std::vector<float> values(m.nodes());
    for (Index i = 0; i < m.nodes(); ++i) values[i] = from[i];
    auto field = domain.field<float>(Kind::node);
    for (int layer = 0; layer < layers; ++layer) {
        std::vector<float> next = values;
        for (Index c = 0; c < m.cells() && layer > 0; ++c) {
            float most = 0;
            for (int j = 0; j <= m.dimension; ++j)
                most = std::max(most, values[m.cell_nodes(c, j)]);
            for (int j = 0; j <= m.dimension; ++j)
                if (const Index i = m.cell_nodes(c, j); !to[i])
                    next[i] = std::max(next[i], most - 1.0f / layers);
        }
        field.upload(next);
        values = field.with_ghosts().download();
    }
    return values;
}

// For each owned node the mean V^(1/d) of its cells [m].
std::vector<double> sizes_of_cells(const Domain& domain) {
    const Rows cells = cells_of(domain.mesh.mesh, Kind::node);
    std::vector<double> sizes(domain.nodes.owned, 0.0);
    for_each(0, domain.nodes.owned, [&](Index i) {
        for (const Index* c = cells.begin(i); c != cells.end(i); ++c)
            sizes[i] += std::pow(domain.geometry.cell_volume[*c], 1.0 / domain.dimension);
        sizes[i] /= std::max<Index>(cells.length(i), 1);
    });
    return sizes;
}

}  // namespace

EdgePatches::EdgePatches(const Domain& domain, const FlowBoundaries& boundaries,
                         const SharpEdges& edges)
    : on_side(domain.mesh.mesh.sides.size()), of(domain.mesh.mesh.boundaries.size(), 0) {
    if (!edges.exist) return;
    const Mesh& m = domain.mesh.mesh;
    const std::vector<double> sizes = sizes_of_cells(domain);
    for (std::uint16_t boundary = 0; boundary < m.boundaries.size(); ++boundary) {
        const NodeMarks marks = node_marks(domain, boundaries, boundary);
        std::vector<bool> sharp(m.nodes(), false);
        for (Index i = 0; i < m.nodes(); ++i)
            sharp[i] = edges.exponent[i] < 1 && marks.own[i] && !marks.other[i];
        if (!domain.comm.any(std::ranges::count(sharp, true) > 0)) continue;
        of[boundary] = 1;
        exist = true;
        const std::vector<float> values = fallen(domain, sharp, marks.other);
        for (Index i = 0; i < domain.nodes.owned; ++i)
            if (values[i] > 0) nodes.push_back({i, boundary, values[i], sizes[i]});
        for (std::size_t s = 0; s < m.sides.size(); ++s)
            for (int j = 0; m.sides[s].boundary == boundary && j < m.dimension; ++j)
                on_side[s][j] = values[m.nodes_of(Kind::face, m.sides[s].face)[j]];
    }
}

}  // namespace solenoid
