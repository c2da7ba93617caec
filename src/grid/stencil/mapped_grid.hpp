// Boundary-value problems on mapped grids: node (i, j) lies at any place, so that cells are
// quadrilaterals, of which some may be land; -div(k grad U) + c U = f, and alpha U + beta dU/dn =
// gamma on each side.
#pragma once

#include "grid/stencil/boundary_values.hpp"

namespace solenoid {

struct MappedBoundaryValues {
    // Of node (i, j); behind a periodic side i and j go on.
    std::function<std::array<double, 2>(int i, int j)> position;
    PlaneFunction conductivity;          // k; none: 1
    PlaneFunction reaction;              // c; none: 0
    PlaneFunction source;                // f; none: 0
    std::array<SideCondition, 4> sides;  // of directions that are not periodic
    // Of the cell with the corners (i, j) and (i + 1, j + 1); none: all are part of the domain. The
    // others are land, with a condition on its sides. Behind a periodic side i and j go on.
    std::function<bool(int i, int j)> is_part = nullptr;
    SideCondition land{0, 1, nullptr};
};

// The energy of bilinear elements, integrated by the corners of each cell, where the metric terms
// are those of the two edges: nine points; five where all cells are rectangles. k of the middle of
// a cell. Throws InputError as for plain grids, and where a cell has no area or is turned over.
// Collective.
template <class Real>
BoundaryValueSystem<Real> assemble(const Grid<Real>& grid, const MappedBoundaryValues& problem);

// What flows into the domain through its sides and the shores of land, what sources make in it and
// what the reaction takes from it, by the same elements: they balance as well as the system is
// solved. What flows through a node whose value is given counts for the boundary that gives it.
struct BoundaryFlows {
    std::array<double, 4> sides{};
    double land = 0, source = 0, reaction = 0;
};
// U: at the nodes of this rank's block and next to them. Collective.
BoundaryFlows boundary_flows(const Communicator& comm, const GridLayout& layout,
                             const MappedBoundaryValues& problem,
                             const std::function<double(int i, int j)>& U);

// As those of plain grids (boundary_values.hpp); areas throw as assemble() does, on this rank
// alone.
std::vector<SidePart> side_parts(const GridLayout& layout, const MappedBoundaryValues& problem,
                                 GridSide side);
std::vector<double> node_areas(const GridLayout& layout, const MappedBoundaryValues& problem);
// Of the nodes of a block, row by row: what gives their values, a GridSide or given_by_land; else
// not_given. Where sides meet the first of these that gives one.
constexpr int given_by_land = 4, not_given = -1;
std::vector<int> givers(const GridLayout& layout, const MappedBoundaryValues& problem);

}  // namespace solenoid
