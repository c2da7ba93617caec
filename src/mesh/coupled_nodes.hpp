// Nodes of a slit whose sides read each other's values, as those of a contact do.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace solenoid {

// The last nodes of a mesh, copies of others at the same places. Every rank knows them all: as many
// as a surface has. A rank that has a cell at a node holds the cells at all nodes of that place.
struct CoupledNodes {
    GlobalIndex first = 0;              // number of the first copy in the whole mesh
    std::vector<GlobalIndex> original;  // of each copy

    bool empty() const { return original.empty(); }
    // The same for all nodes at a place: the original's number.
    GlobalIndex place(GlobalIndex node) const {
        return empty() || node < first ? node : original[node - first];
    }
};

}  // namespace solenoid
