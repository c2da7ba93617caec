#include "parallel/periodic_geometry.hpp"

#include <algorithm>

namespace solenoid {

PeriodicGeometry::PeriodicGeometry(const Topology& topology, Index cells)
    : topology_(topology), is_trivial_(!topology.is_periodic()) {
    if (is_trivial_) return;
    constexpr std::uint64_t most_codes = 256;
    std::vector<std::uint64_t> keys;  // sorted by node, then by shift
    start_.reserve(cells);
    for (Index c = 0; c < cells; ++c) {
        const CellNodes nodes = topology.nodes_of(c);
        start_.push_back(keys.size());
        for (int j = 0; j < nodes.size(); ++j)
            keys.push_back(nodes[j] * most_codes +
                           static_cast<std::uint64_t>(topology.shift(c, j)));
    }
    std::vector<std::uint64_t> points = keys;
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    for (const std::uint64_t key : points) {
        node_.push_back(static_cast<Index>(key / most_codes));
        code_.push_back(static_cast<std::uint8_t>(key % most_codes));
    }
    corners_.resize(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k)
        corners_[k] = static_cast<Index>(std::lower_bound(points.begin(), points.end(), keys[k]) -
                                         points.begin());
}

CellNodes PeriodicGeometry::points_of(Index cell) const {
    CellNodes points = topology_.nodes_of(cell);
    if (!is_trivial_)
        for (int j = 0; j < points.size(); ++j) points.node[j] = corners_[start_[cell] + j];
    return points;
}

Index PeriodicGeometry::find(Index node, int code) const {
    for (auto i = std::lower_bound(node_.begin(), node_.end(), node) - node_.begin();
         i < std::ssize(node_) && node_[i] == node; ++i)
        if (code_[i] == code) return static_cast<Index>(i);
    return none;
}

}  // namespace solenoid
