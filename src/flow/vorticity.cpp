#include "flow/vorticity.hpp"

#include <glm/geometric.hpp>

namespace solenoid {

std::vector<double> vorticity_at_nodes(const Mesh& mesh, const Geometry& geometry, const std::vector<double>& node_velocity) {
    const int d = mesh.dimension;
    const std::size_t n = mesh.nodes();
    const Rows cells = cells_of(mesh, Kind::node);
    std::vector<Vec3> curl(mesh.cells(), Vec3(0));
    for (Index c = 0; c < mesh.cells(); ++c)
        for (int j = 0; j <= d; ++j) {
            const Index i = mesh.cell_nodes(c, j);
            const Vec3 u(node_velocity[i], node_velocity[n + i], d == 3 ? node_velocity[2 * n + i] : 0.0);
            curl[c] += glm::cross(opposite_area(mesh, c, j) / (-d * geometry.cell_volume[c]), u);
        }
    const int columns = d == 2 ? 1 : 3;
    std::vector<double> vorticity(n * columns, 0.0);
    for (Index i = 0; i < n; ++i) {
        Vec3 sum(0);
        double weight = 0;
        for (const Index* c = cells.begin(i); c != cells.end(i); ++c) {
            sum += geometry.cell_volume[*c] * curl[*c];
            weight += geometry.cell_volume[*c];
        }
        for (int k = 0; k < columns; ++k) vorticity[k * n + i] = weight > 0 ? sum[d == 2 ? 2 : k] / weight : 0;
    }
    return vorticity;
}

}  // namespace solenoid
