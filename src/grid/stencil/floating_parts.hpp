// The connected parts of the unknowns of a grid, such as basins that land keeps apart, where
// nothing holds U: there it is known but for a constant, part by part.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "grid/grid.hpp"

namespace solenoid {

struct FloatingPart {
    int i = 0, j = 0;  // the first of its nodes, row by row
    std::int64_t nodes = 0;
    double imbalance = 0, load = 0;  // sums over the right-hand side, and over its magnitude
};

struct FloatingParts {
    std::vector<FloatingPart> parts;  // in the order of their first nodes, the same on every rank
    std::vector<int> of_node;         // of the block, row by row: its part; -1: of none

    bool empty() const { return parts.empty(); }
    // Takes the mean over each part out of a field. Collective.
    template <class Real>
    void remove_means(const Grid<Real>& grid, Buffer<Real>& field) const;
};

// None where all unknowns are connected. Unknowns at corners of one cell are. has_cell: whether the
// cell with the corners (i, j) and (i + 1, j + 1) is part of the domain; is_unknown: of its
// corners, in the block or next to it. right, is_held: of the nodes of the block, row by row;
// is_held where a value, an exchange or a reaction holds U. Collective.
FloatingParts floating_parts(const Communicator& comm, const GridLayout& layout,
                             const std::function<bool(int i, int j)>& has_cell,
                             const std::function<bool(int i, int j)>& is_unknown,
                             std::span<const double> right, const std::vector<bool>& is_held);

}  // namespace solenoid
