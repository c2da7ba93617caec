// Nodes of a slit whose two sides read each other's values, such as those of a contact.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace solenoid {

// The last nodes of a mesh: copies of others at the same positions. Every rank has the whole list;
// it has the size of a surface. A rank that holds a cell at a node holds the cells at all nodes of
// that place.
struct CoupledNodes {
    GlobalIndex first = 0;              // number of the first copy in the whole mesh
    std::vector<GlobalIndex> original;  // of each copy

    bool empty() const { return original.empty(); }
    // The number of a place: the original's node number, equal for all nodes at the place.
    GlobalIndex place(GlobalIndex node) const {
        return empty() || node < first ? node : original[node - first];
    }
};

}  // namespace solenoid
