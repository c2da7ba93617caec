// What a rank writes of its part of a mesh: its cells and their nodes, on a periodic mesh each node
// once for each position in which a cell sees it. What the topology stores is read in place.
#pragma once

#include "parallel/periodic_geometry.hpp"

namespace solenoid {

class WrittenPoints {
  public:
    // The topology must outlive this.
    WrittenPoints(const Topology& topology, int rank);

    Index count() const {
        return periodic_geometry_.is_trivial() ? topology_.range(Kind::node).shared
                                               : periodic_geometry_.size();
    }
    std::span<const Vec3> positions() const { return positions_.of(stored_.positions); }
    // Numbers in the whole mesh. On a periodic mesh additional points of a node are numbered beyond
    // all nodes.
    std::span<const GlobalIndex> numbers() const { return numbers_.of(stored_.node_numbers); }
    // The node of each point; empty where points are nodes.
    const std::vector<Index>& nodes() const { return nodes_; }
    // True on exactly one of the ranks that write the point.
    bool is_own(Index point) const {
        return periodic_geometry_.is_trivial() ? point < topology_.range(Kind::node).owned
                                               : is_own_[point];
    }

    // Of the cells [0, cells()): their points, one cell after another, their numbers and regions.
    Index cells() const { return topology_.range(Kind::cell).owned; }
    CellShape shape(Index cell) const { return topology_.nodes_of(cell).shape; }
    std::span<const Index> corners() const { return corners_.of(stored_.cell_nodes); }
    std::span<const GlobalIndex> cell_numbers() const {
        return cell_numbers_.of(stored_.cell_numbers);
    }
    std::span<const std::uint16_t> regions() const { return regions_.of(stored_.regions); }
    const std::vector<std::string>& region_names() const { return topology_.regions(); }

  private:
    // An array made here where the topology stores none, or not this one.
    template <class T>
    struct Made {
        std::vector<T> values;
        bool is_made = false;
        std::span<const T> of(std::span<const T> stored) const {
            return is_made ? std::span<const T>(values) : stored;
        }
        template <class Value>
        void make(Index count, const Value& value) {
            is_made = true;
            values.reserve(count);
            for (Index i = 0; i < count; ++i) values.push_back(value(i));
        }
    };
    void make_points(int rank);
    void make_cells();

    const Topology& topology_;
    const PeriodicGeometry periodic_geometry_;
    const Topology::Stored stored_;
    Made<Vec3> positions_;
    Made<GlobalIndex> numbers_, cell_numbers_;
    Made<Index> corners_;
    Made<std::uint16_t> regions_;
    std::vector<Index> nodes_;
    std::vector<bool> is_own_;
};

}  // namespace solenoid
