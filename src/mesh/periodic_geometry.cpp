#include "mesh/periodic_geometry.hpp"

#include <algorithm>

namespace solenoid {

PeriodicGeometry::PeriodicGeometry(const Mesh& mesh, Index cells) : mesh_(mesh) {
    if (is_trivial()) return;
    constexpr std::uint64_t most_codes = 256;
    const int width = mesh.dimension + 1;
    std::vector<std::uint64_t> keys;  // sorted by node, then by shift
    keys.reserve(std::size_t{cells} * width);
    for (Index c = 0; c < cells; ++c)
        for (int j = 0; j < width; ++j)
            keys.push_back(mesh.cell_nodes(c, j) * most_codes + mesh.corner_code(c, j));
    std::vector<std::uint64_t> points = keys;
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    for (const std::uint64_t key : points) {
        node_.push_back(static_cast<Index>(key / most_codes));
        code_.push_back(static_cast<std::uint8_t>(key % most_codes));
    }
    corners_ = Table(cells, width);
    for (std::size_t k = 0; k < keys.size(); ++k)
        corners_.data[k] = static_cast<Index>(
            std::lower_bound(points.begin(), points.end(), keys[k]) - points.begin());
}

Index PeriodicGeometry::find(Index node, int code) const {
    for (auto i = std::lower_bound(node_.begin(), node_.end(), node) - node_.begin();
         i < std::ssize(node_) && node_[i] == node; ++i)
        if (code_[i] == code) return static_cast<Index>(i);
    return none;
}

}  // namespace solenoid
