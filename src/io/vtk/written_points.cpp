#include "io/vtk/written_points.hpp"

namespace solenoid {

WrittenPoints::WrittenPoints(const Topology& topology, int rank)
    : topology_(topology),
      periodic_geometry_(topology, topology.range(Kind::cell).owned),
      stored_(topology.stored()) {
    make_points(rank);
    make_cells();
}

void WrittenPoints::make_points(int rank) {
    const bool are_nodes = periodic_geometry_.is_trivial();
    if (!are_nodes || stored_.positions.empty())
        positions_.make(count(), [&](Index p) { return periodic_geometry_.position(p); });
    if (!are_nodes || stored_.node_numbers.empty())
        numbers_.make(count(), [&](Index p) { return periodic_geometry_.number(p); });
    if (are_nodes) return;
    for (Index p = 0; p < count(); ++p) nodes_.push_back(periodic_geometry_.node(p));
    // A point belongs to the lowest owner of the cells that see the node there; all these cells are
    // held.
    is_own_.assign(count(), true);
    for (Index c = cells(); c < topology_.range(Kind::cell).all; ++c) {
        if (topology_.owner(c) >= rank) continue;
        const CellNodes nodes = topology_.nodes_of(c);
        for (int j = 0; j < nodes.size(); ++j)
            if (const Index p = periodic_geometry_.find(nodes[j], topology_.shift(c, j)); p != none)
                is_own_[p] = false;
    }
}

void WrittenPoints::make_cells() {
    if (!periodic_geometry_.is_trivial() || stored_.cell_nodes.empty()) {
        corners_.is_made = true;
        for (Index c = 0; c < cells(); ++c)
            for (const Index point : periodic_geometry_.points_of(c))
                corners_.values.push_back(point);
    }
    if (stored_.cell_numbers.empty())
        cell_numbers_.make(cells(), [&](Index c) { return topology_.cell_number(c); });
    if (stored_.regions.empty())
        regions_.make(cells(), [&](Index c) { return topology_.region(c); });
}

}  // namespace solenoid
