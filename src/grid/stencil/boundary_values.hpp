// Boundary-value problems on structured grids, and their symmetric systems by finite volumes round
// the nodes: -div(k grad U) + c U = f, and alpha U + beta dU/dn = gamma on each side.
#pragma once

#include <array>
#include <functional>

#include "grid/stencil/stencil.hpp"

namespace solenoid {

using PlaneFunction = std::function<double(double x, double y)>;

// beta = 0 gives the value, alpha = 0 the slope along the outward normal.
struct SideCondition {
    double alpha = 1, beta = 0;
    PlaneFunction gamma;  // none: 0
};

enum GridSide { west, east, south, north };

struct BoundaryValues {
    double x0 = 0, y0 = 0;               // of node (0, 0)
    double hx = 1, hy = 1;               // between nodes
    PlaneFunction conductivity;          // k; none: 1
    PlaneFunction reaction;              // c; none: 0
    PlaneFunction source;                // f; none: 0
    std::array<SideCondition, 4> sides;  // of directions that are not periodic
    // Nodes that are no part of the domain; nothing flows between them and others.
    std::function<bool(int i, int j)> is_land;
};

template <class Real>
struct BoundaryValueSystem {
    Stencil<Real> matrix;
    Buffer<Real> right_hand_side;
    Buffer<Real> given;  // U where it is given, else 0: U = u + given
    bool is_singular;    // constants are solutions of A u = 0
};

// Throws InputError where alpha and beta are both zero, or of opposite sign. Collective.
template <class Real>
BoundaryValueSystem<Real> assemble(const Grid<Real>& grid, const BoundaryValues& problem);

}  // namespace solenoid
