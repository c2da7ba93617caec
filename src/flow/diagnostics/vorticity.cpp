#include "flow/diagnostics/vorticity.hpp"

#include <algorithm>
#include <array>

namespace solenoid {

namespace {

// The gradient of the linear interpolant in a cell; column k is the derivative along axis k.
std::array<Vec3, 3> gradient(const Mesh& mesh, const Geometry& geometry,
                             const std::vector<double>& node_velocity, Index cell) {
    const int d = mesh.dimension;
    const std::size_t n = mesh.nodes();
    std::array<Vec3, 3> columns{Vec3(0), Vec3(0), Vec3(0)};
    for (int j = 0; j <= d; ++j) {
        const Index i = mesh.cell_nodes(cell, j);
        const Vec3 u(node_velocity[i], node_velocity[n + i],
                     d == 3 ? node_velocity[2 * n + i] : 0.0);
        const Vec3 slope = opposite_area(mesh, cell, j) / (-d * geometry.cell_volume[cell]);
        for (int k = 0; k < 3; ++k) columns[k] += slope[k] * u;
    }
    return columns;
}

// The mean by volume over the cells of each node. values: of the cells.
template <class Value>
std::vector<Value> means_at_nodes(const Mesh& mesh, const Geometry& geometry,
                                  const std::vector<Value>& values) {
    const Rows cells = cells_of(mesh, Kind::node);
    std::vector<Value> means(mesh.nodes(), Value(0));
    for (Index i = 0; i < mesh.nodes(); ++i) {
        double weight = 0;
        for (const Index* c = cells.begin(i); c != cells.end(i); ++c) {
            means[i] += geometry.cell_volume[*c] * values[*c];
            weight += geometry.cell_volume[*c];
        }
        if (weight > 0) means[i] /= weight;
    }
    return means;
}

}  // namespace

std::vector<double> vorticity_at_nodes(const Mesh& mesh, const Geometry& geometry,
                                       const std::vector<double>& node_velocity) {
    std::vector<Vec3> curl(mesh.cells());
    for (Index c = 0; c < mesh.cells(); ++c) {
        const auto g = gradient(mesh, geometry, node_velocity, c);
        curl[c] = {g[1].z - g[2].y, g[2].x - g[0].z, g[0].y - g[1].x};
    }
    const std::vector<Vec3> means = means_at_nodes(mesh, geometry, curl);
    std::vector<double> vorticity;
    for (int k = mesh.dimension == 2 ? 2 : 0; k < 3; ++k)
        for (const Vec3& mean : means) vorticity.push_back(mean[k]);
    return vorticity;
}

std::vector<EntityShare> vorticity_shares(const Mesh& mesh, const Geometry& geometry,
                                          const std::vector<std::pair<Index, double>>& weights) {
    const int d = mesh.dimension;
    std::vector<std::vector<Index>> cells(weights.size());
    for (Index c = 0; c < mesh.cells() && !weights.empty(); ++c)
        for (int j = 0; j <= d; ++j)
            for (std::size_t i = 0; i < weights.size(); ++i)
                if (mesh.cell_nodes(c, j) == weights[i].first) cells[i].push_back(c);
    std::vector<EntityShare> shares;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        std::ranges::sort(cells[i], {}, [&](Index c) { return mesh.cell_number[c]; });
        double volume = 0;
        for (const Index c : cells[i]) volume += geometry.cell_volume[c];
        for (const Index c : cells[i])
            for (int j = 0; j <= d; ++j) {
                const Vec3 slope = opposite_area(mesh, c, j) *
                                   (weights[i].second / (-d * volume));  // V / V of the cell
                // component s of slope x u
                for (std::uint32_t s = d == 2 ? 2 : 0; s < 3; ++s) {
                    const std::uint32_t a = (s + 1) % 3, b = (s + 2) % 3,
                                        first = d == 2 ? 0 : 3 * s;
                    shares.push_back({first + b, mesh.cell_nodes(c, j), slope[a]});
                    shares.push_back({first + a, mesh.cell_nodes(c, j), -slope[b]});
                }
            }
    }
    return shares;
}

std::vector<double> q_criterion_at_nodes(const Mesh& mesh, const Geometry& geometry,
                                         const std::vector<double>& node_velocity) {
    std::vector<double> q(mesh.cells(), 0.0);
    for (Index c = 0; c < mesh.cells(); ++c) {
        const auto g = gradient(mesh, geometry, node_velocity, c);
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) q[c] -= 0.5 * g[k][i] * g[i][k];
    }
    return means_at_nodes(mesh, geometry, q);
}

}  // namespace solenoid
