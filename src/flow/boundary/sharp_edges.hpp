// Edges (nodes in 2D) of the domain's boundary at which the pressure and the shear of a slow flow
// are unbounded, as r^(e - 1) at a distance r: those of walls round which the fluid turns by more
// than 180 degrees, and those where a wall ends and a boundary that slips or is open goes on.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "operators/domain.hpp"

namespace solenoid {

// The least exponent e of the stream function's r^(e + 1) between two walls at rest that enclose
// the angle w of fluid [radian], sin(e w) = -e sin(w): 1 up to 180 degrees, 0.5445 at 270, 0.5 at
// 360 (Dean & Montagnon, Math. Proc. Camb. Phil. Soc. 45 (1949); Moffatt, J. Fluid Mech. 18
// (1964)).
double edge_exponent(double angle);

struct SharpEdges {
    // Collective: `exist` is the same on every rank.
    SharpEdges(const Domain& domain, const FlowBoundaries& boundaries);

    // of each node held: the least of the edges that it lies on, 1 where it lies on none. Right on
    // faces of the rank's own cells
    std::vector<double> exponent;
    bool exist = false;
};

}  // namespace solenoid
