#include "flow/boundary/sharp_edges.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <numbers>

namespace solenoid {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double curved = 20 * pi / 180;  // faces that turn by less form one curved wall

// The interior angle of a cell at the codim-2 entity that contains all its corners except a and b.
double angle_between(const Mesh& m, Index cell, int a, int b) {
    std::array<int, 2> on{};
    int count = 0;
    for (int j = 0; j <= m.dimension; ++j)
        if (j != a && j != b) on[count++] = j;
    const Vec3 origin = m.corner(cell, on[0]);
    Vec3 to_a = m.corner(cell, a) - origin, to_b = m.corner(cell, b) - origin;
    if (count == 2) {
        const Vec3 along = glm::normalize(m.corner(cell, on[1]) - origin);
        to_a -= glm::dot(to_a, along) * along;
        to_b -= glm::dot(to_b, along) * along;
    }
    return std::atan2(glm::length(glm::cross(to_a, to_b)), glm::dot(to_a, to_b));
}

struct Codim2 {
    std::vector<std::pair<GlobalIndex, double>> angles;  // of the cells held, by their numbers
    // it is on a face with a given velocity; on a face that slips or is open
    bool is_held = false, is_free = false;
};
using Codim2Key = std::pair<Index, Index>;  // its two nodes; in 2D one node twice

Codim2Key codim2_of(const Mesh& m, Index cell, int a, int b) {
    std::vector<Index> nodes;
    for (int j = 0; j <= m.dimension; ++j)
        if (j != a && j != b) nodes.push_back(m.cell_nodes(cell, j));
    return std::minmax(nodes.front(), nodes.back());
}

// Added up in the order of the cells' numbers, which does not depend on the ranks.
double sum_of(std::vector<std::pair<GlobalIndex, double>> angles) {
    std::ranges::sort(angles);
    double sum = 0;
    for (const auto& [cell, angle] : angles) sum += angle;
    return sum;
}

}  // namespace

double edge_exponent(double angle) {
    const double w = std::min(angle, 2 * pi);
    if (w <= pi) return 1;
    double low = 0.5, high = 1;
    for (int k = 0; k < 60; ++k) {
        const double e = (low + high) / 2;
        (std::sin(e * w) + e * std::sin(w) >= 0 ? low : high) = e;
    }
    return low;
}

SharpEdges::SharpEdges(const Domain& domain, const FlowBoundaries& boundaries)
    : exponent(domain.mesh.mesh.nodes(), 1.0) {
    const Mesh& m = domain.mesh.mesh;
    const int d = m.dimension;
    std::map<Codim2Key, Codim2> codim2_entities;
    for (Index c = 0; c < m.cells(); ++c)
        for (int a = 0; a <= d; ++a) {
            const FlowBoundary* boundary = boundaries.boundary(entity_of(m.cell_faces(c, a)));
            for (int b = 0; boundary && b <= d; ++b) {
                if (b == a) continue;
                Codim2& codim2 = codim2_entities[codim2_of(m, c, a, b)];
                (boundary->condition->holds() ? codim2.is_held : codim2.is_free) = true;
            }
        }
    for (Index c = 0; c < m.cells(); ++c)
        for (int a = 0; a <= d; ++a)
            for (int b = a + 1; b <= d; ++b)
                if (const auto codim2 = codim2_entities.find(codim2_of(m, c, a, b));
                    codim2 != codim2_entities.end())
                    codim2->second.angles.emplace_back(m.cell_number[c], angle_between(m, c, a, b));
    for (const auto& [nodes, codim2] : codim2_entities) {
        if (!codim2.is_held) continue;
        // doubled by the mirror image at a boundary that slips or is open
        const double angle = (codim2.is_free ? 2 : 1) * sum_of(codim2.angles);
        if (angle <= pi + curved) continue;
        for (const Index node : {nodes.first, nodes.second})
            exponent[node] = std::min(exponent[node], edge_exponent(angle));
        exist = true;
    }
    exist = domain.comm.any(exist);
}

}  // namespace solenoid
