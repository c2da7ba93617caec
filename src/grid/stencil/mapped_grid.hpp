// Boundary-value problems on mapped grids: node (i, j) lies at any place, so that cells are
// quadrilaterals; -div(k grad U) + c U = f, and alpha U + beta dU/dn = gamma on each side.
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
};

// Nine points: the energy of bilinear elements, integrated by the corners of each cell, where the
// metric terms are those of the two edges. Throws InputError as for plain grids, and where a cell
// has no area or is turned over. Collective.
template <class Real>
BoundaryValueSystem<Real> assemble(const Grid<Real>& grid, const MappedBoundaryValues& problem);

// As those of plain grids (boundary_values.hpp); areas throw as assemble() does, on this rank
// alone.
std::vector<SidePart> side_parts(const GridLayout& layout, const MappedBoundaryValues& problem,
                                 GridSide side);
std::vector<double> node_areas(const GridLayout& layout, const MappedBoundaryValues& problem);

}  // namespace solenoid
