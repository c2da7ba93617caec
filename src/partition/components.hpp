// Connected components of a mesh: nodes joined by cells.
#pragma once

#include "core/types.hpp"

namespace solenoid {

struct Components {
    std::vector<Index>
        of_node;  // component of each node, numbered in the order of their first nodes
    Index count = 0;
};
Components connected_components(const std::vector<Index>& cells, int dimension, std::size_t nodes);

}  // namespace solenoid
