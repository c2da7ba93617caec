#include "partition/components.hpp"

#include <numeric>

namespace solenoid {
namespace {

// Union-find with path halving; the lower node is the root.
Index find(std::vector<Index>& parent, Index node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
}

void join(std::vector<Index>& parent, Index a, Index b) {
    a = find(parent, a);
    b = find(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

}  // namespace

Components connected_components(const std::vector<Index>& cells, int dimension, std::size_t nodes) {
    const std::size_t width = dimension + 1;
    std::vector<Index> parent(nodes);
    std::iota(parent.begin(), parent.end(), Index(0));
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (i % width) join(parent, cells[i - i % width], cells[i]);

    // A root has the lowest number of its component, so that parents can be replaced by component
    // numbers in place.
    Components components;
    for (Index node = 0; node < nodes; ++node) {
        const Index up = parent[node];
        parent[node] = up == node ? components.count++ : parent[up];
    }
    components.of_node = std::move(parent);
    return components;
}

}  // namespace solenoid
