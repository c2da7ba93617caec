// Fields of a grid as values at the nodes of its topology: what files, pictures, monitors and
// checkpoints take.
#pragma once

#include <string>
#include <vector>

#include "core/state_values.hpp"
#include "grid/grid.hpp"
#include "grid/grid_topology.hpp"
#include "grid/run/grid_mesh.hpp"

namespace solenoid {

template <class Real>
class NodeFields {
  public:
    // Both must outlive this.
    NodeFields(const Grid<Real>& grid, const GridTopology& topology);

    // At all nodes held, column by column; fills the ghosts. Collective.
    std::vector<double> values(Buffer<Real>& field) const;
    // The entries of a column, ghosts too, by GridLayout::entry().
    std::vector<double> held(const Buffer<Real>& field, int column = 0) const;
    // grad of the field (one column), three columns: of second order, at shores without room for it
    // of first. Collective.
    std::vector<double> gradient(Buffer<Real>& field, const GridMesh& mesh) const;

    // Registers a field (one column) by the numbers of the nodes, in saved states and on the stack.
    void add(const StateValues& state, const std::string& name, Buffer<Real>& field) const;

  private:
    const Grid<Real>& grid_;
    const GridTopology& topology_;
    std::vector<Index> entry_;  // of each node held, in a column
};

}  // namespace solenoid
