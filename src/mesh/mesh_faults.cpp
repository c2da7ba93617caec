#include "mesh/mesh_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "mesh/simplex_mesh.hpp"

namespace solenoid::faults {

std::string cell_text(GlobalIndex cell, std::span<const Vec3> corners) {
    Vec3 sum(0);
    for (const Vec3& x : corners) sum += x;
    return fmt::format("cell {} with its centroid at {}", cell + 1,
                       position_text(sum / static_cast<double>(corners.size())));
}

std::string nodes_text(std::span<const GlobalIndex> nodes, std::span<const Vec3> points) {
    std::string names;
    Vec3 sum(0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        names += fmt::format("{}{}",
                             i == 0                  ? ""
                             : i + 1 == nodes.size() ? " and "
                                                     : ", ",
                             nodes[i] + 1);
        sum += points[i];
    }
    return fmt::format("nodes {} at {}", names,
                       position_text(sum / static_cast<double>(nodes.size())));
}

double measure(std::span<const Vec3> x) {
    const Vec3 u = x[1] - x[0], v = x[2] - x[0];
    if (x.size() == 3) return u.x * v.y - u.y * v.x;
    return glm::dot(glm::cross(u, v), x[3] - x[0]);
}

double round_off(std::span<const Vec3> x, double scale) {
    double longest = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
        for (std::size_t k = 0; k < j; ++k) longest = std::max(longest, glm::distance(x[j], x[k]));
    return 1e-14 * std::max(longest, scale) * std::pow(longest, static_cast<int>(x.size()) - 2);
}

std::string no_cells(int dimension) {
    return fmt::format("the mesh has no {}", dimension == 2 ? "triangles" : "tetrahedra");
}

std::string not_finite(GlobalIndex node, const Vec3& x) {
    return fmt::format("node {} has no finite position: {}", node + 1, position_text(x));
}

std::string out_of_plane(GlobalIndex node, const Vec3& x, double height) {
    return fmt::format("node {} at {} is not in the plane z = {:.6g} of the first node", node + 1,
                       position_text(x), height);
}

std::string no_such_node(GlobalIndex cell, GlobalIndex node, GlobalIndex nodes) {
    return fmt::format("cell {} has node {} of {}", cell + 1, node + 1, nodes);
}

std::string repeated_node(const std::string& cell, GlobalIndex node) {
    return fmt::format("{} has node {} twice", cell, node + 1);
}

std::string flat(const std::string& cell, int dimension) {
    return fmt::format("{} has no {}", cell, dimension == 2 ? "area" : "volume");
}

std::string inverted(GlobalIndex count, GlobalIndex of, const std::string& region,
                     const std::string& first) {
    return fmt::format("{} of {} cells of \"{}\" are inverted, the first is {}", count, of, region,
                       first);
}

std::string left_handed(GlobalIndex cells) {
    return fmt::format("{} cells are numbered left-handed; they were reversed", cells);
}

std::string repeated_cell(const std::string& cell, GlobalIndex before) {
    return fmt::format("{} is repeated: cell {} has the same nodes", cell, before + 1);
}

std::string three_cells(const std::string& face, GlobalIndex a, GlobalIndex b, GlobalIndex last) {
    return fmt::format("the face of {} has three cells: {}, {} and {}", face, std::min(a, b) + 1,
                       std::max(a, b) + 1, last + 1);
}

std::string overlap(const std::string& face, GlobalIndex before, GlobalIndex last) {
    return fmt::format("cells {} and {} overlap: both lie on the same side of the face of {}",
                       before + 1, last + 1, face);
}

std::string no_face(const std::string& group, const std::string& side) {
    return fmt::format("a side of \"{}\" is not a face of a cell: {}", group, side);
}

std::string unused_nodes(GlobalIndex count) {
    return fmt::format("{} nodes lie in no cell and were dropped", count);
}

}  // namespace solenoid::faults
