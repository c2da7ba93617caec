// Boundary-value problems on structured grids, and their symmetric systems by finite volumes round
// the nodes: -div(k grad U) + c U = f, and alpha U + beta dU/dn = gamma on each side.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "grid/stencil/floating_parts.hpp"
#include "grid/stencil/stencil.hpp"

namespace solenoid {

using PlaneFunction = std::function<double(double x, double y)>;

// beta = 0 gives the value, alpha = 0 the slope along the outward normal.
struct SideCondition {
    double alpha = 1, beta = 0;
    PlaneFunction gamma;  // none: 0
};

// Whether node (i, j) is on a side; none is where the direction is periodic.
bool is_on_side(const GridExtents& extents, GridSide side, int i, int j);
// Row by row the nodes of a block on a side.
void for_nodes_on_side(const GridLayout& layout, GridSide side,
                       const std::function<void(int i, int j)>& visit);

struct BoundaryValues {
    double x0 = 0, y0 = 0;  // of node (0, 0)
    double hx = 1, hy = 1;  // between nodes
    // The unknowns are cells: sides are half a cell beyond the first and last ones, and none is
    // given its value.
    bool has_cells = false;
    PlaneFunction conductivity;          // k; none: 1
    PlaneFunction reaction;              // c; none: 0
    PlaneFunction source;                // f; none: 0
    std::array<SideCondition, 4> sides;  // of directions that are not periodic
    // Nodes that are no part of the domain: nothing flows between them and others, or they have
    // values.
    std::function<bool(int i, int j)> is_land;
    PlaneFunction land_value;
};

template <class Real>
struct BoundaryValueSystem {
    Stencil<Real> matrix;
    Buffer<Real> right_hand_side;
    Buffer<Real> given;  // U where it is given, else 0: U = u + given
    bool
        is_singular;  // constants are solutions of A u = 0; then the right-hand side has the mean 0
    // 1 on nodes that may be unknowns of coarser grids: not where U is given, but on land, so that
    // coarse values on it serve the unknowns round it (GridMultigrid)
    Buffer<Real> kept;
    // sums over the right-hand side before that, and over its magnitude
    double imbalance = 0, load = 0;
    // Where land cuts the unknowns of a mapped problem into parts, those where nothing holds U; the
    // right-hand side then has the mean 0 on each of them.
    FloatingParts floating = {};
};

// Throws InputError where alpha and beta of a side are both zero, or of opposite sign.
void check_sides(const GridExtents& extents, const std::array<SideCondition, 4>& sides);

// Collective. Throws as check_sides.
template <class Real>
BoundaryValueSystem<Real> assemble(const Grid<Real>& grid, const BoundaryValues& problem);

// Of what belongs to a node of a side, the half before or behind it.
struct SidePart {
    int i, j;
    std::array<double, 2> place;    // where the side is at the node
    std::array<double, 2> outward;  // of length 1
    double length, conductivity;    // k in the middle of the part
    double distance;                // from the node to the side
};
// Those of the nodes of a block, in their order; none where the direction is periodic.
std::vector<SidePart> side_parts(const GridLayout& layout, const BoundaryValues& problem,
                                 GridSide side);
// Areas of the volumes round the nodes of a block, row by row; of land, too.
std::vector<double> node_areas(const GridLayout& layout, const BoundaryValues& problem);

// The problem of a coarser grid, the nodes (2 i, 2 j) of the one before, `level` times; none where
// that does not end at the sides. Nodes alone.
std::optional<BoundaryValues> coarser(const BoundaryValues& problem, const GridExtents& extents,
                                      int level);

}  // namespace solenoid
