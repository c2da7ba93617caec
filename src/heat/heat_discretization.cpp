#include "heat/heat_discretization.hpp"

#include <glm/geometric.hpp>

#include "core/pieces.hpp"
#include "mesh/geometry.hpp"
#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {
namespace {

// A material property of every cell held, at its centroid. Throws InputError where it is not
// positive.
std::vector<double> at_cells(const DistributedMesh& mesh, const std::vector<Vec3>& centroid,
                             const std::vector<MaterialSettings>& regions,
                             Formula MaterialSettings::*property) {
    std::vector<double> values(mesh.mesh.cells());
    for (Index c = 0; c < mesh.mesh.cells(); ++c)
        values[c] = (regions[mesh.mesh.cell_region[c]].*property).positive_value(centroid[c]);
    return values;
}

// add(node, cell, V / (d + 1)) for the cells round each owned node, in ascending global number.
template <class Add>
void for_each_share(const DistributedMesh& mesh, const std::vector<double>& volume,
                    const Add& add) {
    const Rows cells = cells_of(mesh.mesh, Kind::node);
    for (Index i = 0; i < mesh.range(Kind::node).owned; ++i)
        for (const Index* c = cells.begin(i); c != cells.end(i); ++c)
            add(i, *c, volume[*c] / (mesh.mesh.dimension + 1));
}

// Of the regions whose source is not 0.
std::vector<SourcePart> source_parts(const DistributedMesh& mesh, const std::vector<double>& volume,
                                     const std::vector<MaterialSettings>& regions) {
    std::vector<SourcePart> parts(regions.size());
    for_each_share(mesh, volume, [&](Index node, Index cell, double share) {
        const std::size_t region = mesh.mesh.cell_region[cell];
        SourcePart& part = parts[region];
        if (regions[region].source.is_constant() && regions[region].source({}) == 0) return;
        if (part.nodes.empty() || part.nodes.back() != node) {
            part.nodes.push_back(node);
            part.volume.push_back(0);
        }
        part.volume.back() += share;
    });
    for (std::size_t r = 0; r < regions.size(); ++r) parts[r].source = regions[r].source;
    std::erase_if(parts, [](const SourcePart& part) { return part.nodes.empty(); });
    return parts;
}

}  // namespace

std::vector<double> dual_volumes(const DistributedMesh& mesh, const Geometry& g) {
    std::vector<double> volumes(mesh.range(Kind::node).owned, 0.0);
    for_each_share(mesh, g.cell_volume,
                   [&](Index node, Index, double share) { volumes[node] += share; });
    return volumes;
}

std::vector<double> edge_weights(const DistributedMesh& mesh,
                                 const std::vector<double>& cell_conductivity) {
    const Mesh& m = mesh.mesh;
    const Rows cells = cells_of(m, Kind::edge);
    std::vector<double> weights(m.edges(), 0.0);
    const Index owned = mesh.range(Kind::node).owned;
    // w_e = -sum over cells of k S_a . S_b / (d^2 V), S the outward area opposite a node
    for_each(0, m.edges(), [&](Index e) {
        const Index* ends = m.nodes_of(Kind::edge, e);
        if (ends[0] >= owned && ends[1] >= owned) return;
        for (const Index* c = cells.begin(e); c != cells.end(e); ++c) {
            int place[2] = {0, 0};
            for (int end = 0; end < 2; ++end)
                while (m.cell_nodes(*c, place[end]) != ends[end]) ++place[end];
            const double product =
                glm::dot(opposite_area(m, *c, place[0]), opposite_area(m, *c, place[1]));
            weights[e] -=
                cell_conductivity[*c] * product / (m.dimension * m.dimension * volume(m, *c));
        }
    });
    return weights;
}

NodeDifferences node_differences(const DistributedMesh& mesh,
                                 const std::vector<double>& cell_conductivity) {
    const Mesh& m = mesh.mesh;
    const std::vector<double> weights = edge_weights(mesh, cell_conductivity);
    const Rows edges = node_edges(m);
    HostMatrix rows = joined(pieces_of(mesh.range(Kind::node).owned, [&](Index begin, Index end) {
        HostMatrix piece;
        for (Index i = begin; i < end; ++i) {
            for (const Index* oriented = edges.begin(i); oriented != edges.end(i); ++oriented) {
                const Index edge = entity_of(*oriented);
                const Index* ends = m.nodes_of(Kind::edge, edge);
                piece.append(ends[0] == i ? ends[1] : ends[0], weights[edge]);
            }
            piece.end_row();
        }
        return piece;
    }));
    return {std::move(rows.rows), std::move(rows.entries)};
}

HeatDiscretization discretize_heat(const DistributedMesh& mesh, const Geometry& g,
                                   const std::vector<MaterialSettings>& regions) {
    HeatDiscretization heat;
    NodeDifferences differences = node_differences(
        mesh, at_cells(mesh, g.cell_centroid, regions, &MaterialSettings::conductivity));
    heat.neighbours = std::move(differences.neighbours);
    heat.weights = std::move(differences.weights);
    const auto capacity =
        at_cells(mesh, g.cell_centroid, regions, &MaterialSettings::heat_capacity);
    heat.mass.assign(mesh.range(Kind::node).owned, 0.0);
    for_each_share(mesh, g.cell_volume, [&](Index node, Index cell, double share) {
        heat.mass[node] += capacity[cell] * share;
    });
    heat.sources = source_parts(mesh, g.cell_volume, regions);
    return heat;
}

}  // namespace solenoid
